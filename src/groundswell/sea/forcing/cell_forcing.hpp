#pragma once

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

}  // namespace groundswell::sea
