#pragma once

#include <cmath>

#include "groundswell/sea/real.hpp"

namespace groundswell::sea {

/// Air above a cell and water that carries its waves, at one moment. Vectors are towards the east and
/// the north of the cell. Of a kind that the case does not have, the values are 0.
struct CellForcing {
    Real eastward_wind = 0, northward_wind = 0;        ///< at 10 m, m s⁻¹
    Real eastward_current = 0, northward_current = 0;  ///< of the water near the surface, m s⁻¹
    Real water_level = 0;  ///< of the still water, above the datum of the mesh's depths, m
    Real ice_concentration = 0, ice_thickness = 0;  ///< share of the sea that is ice; m
};

/// The wind as waves feel it. Found without functions of a library, so that a device has the same bits.
struct FeltWind {
    Real speed = 0;     ///< m s⁻¹
    Real x = 1, y = 0;  ///< unit vector that it blows along; towards the east in a calm

    /// Components of the wind and of the current that it is felt relative to, which is 0 where it is not.
    static constexpr FeltWind of(Real eastward, Real northward, Real eastward_current,
                                 Real northward_current) {
        const double east = static_cast<double>(eastward) - static_cast<double>(eastward_current);
        const double north = static_cast<double>(northward) - static_cast<double>(northward_current);
        const double square = east * east + north * north;
        if (square == 0.0) return {};
        const double speed = std::sqrt(square);
        return {static_cast<Real>(speed), static_cast<Real>(east / speed), static_cast<Real>(north / speed)};
    }
};

}  // namespace groundswell::sea
