#pragma once

#include <array>
#include <optional>

#include "groundswell/quake/source/rupture/sub_source.hpp"

namespace groundswell::quake {

/// A kinematic rupture of a plane.
struct PlaneOptions {
    /// Uniform slip on a rectangle (N. A. Haskell 1964, Bull. Seismol. Soc. Am. 54, 1811–1841), or slip as that of a
    /// circular crack, √(1 − r²/R²) of its middle's (J. D. Eshelby 1957, doi:10.1098/rspa.1957.0133).
    enum class Kind { haskell, circular };
    /// The rate of slip at a place: constant, or growing and falling in straight lines, over the rise time; or Brune's with that time.
    enum class Rise { boxcar, triangle, brune };

    Kind kind = Kind::haskell;
    tetra::Point place{};                        ///< of the middle of the plane, or of its top edge, m
    bool is_top = false;                         ///< of its top edge
    double strike = 0.0, dip = 0.0, rake = 0.0;  ///< radians; strike from y
    double length = 0.0, width = 0.0;            ///< along strike and down dip, m; of a circle its diameter
    double spacing = 0.0;                        ///< of sub-sources, at most, m
    std::array<double, 2> hypocentre{};          ///< from the middle, along strike and down dip, m
    double rupture_speed = 0.0;                  ///< m s⁻¹
    Rise rise = Rise::boxcar;
    double rise_time = 0.0;      ///< s
    double onset = 0.0;          ///< when it begins at the hypocentre, s
    std::optional<double> slip;  ///< of a circle in its middle, m; if empty:
    double scalar_moment = 0.0;  ///< N m
};

/// Its sub-sources: cells of a grid, each beginning when a front that leaves the hypocentre at the rupture speed reaches it.
Rupture rupture_of(const PlaneOptions& plane);

/// Number of cells of the grid along strike and down dip.
std::array<double, 2> cells_of(const PlaneOptions& plane);

}  // namespace groundswell::quake
