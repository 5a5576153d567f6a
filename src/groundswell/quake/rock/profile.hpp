#pragma once

#include <array>
#include <vector>

#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/quake/rock/mean.hpp"
#include "groundswell/quake/rock/stated_rock.hpp"

namespace groundswell::quake {

/// Rock that depends on the height z alone.
struct RockProfile {
    struct Row {
        double z = 0.0;  ///< m, up
        StatedRock rock;
    };
    std::vector<Row> rows;  ///< from the top down, at least one
    /// Straight between rows, and the outermost rows' beyond; else each row is the top of a layer, and the first
    /// layer goes on above.
    bool gradient = false;

    StatedRock at(double z) const;
};

/// The part of a tetrahedron's volume that lies below a height.
double part_below(const std::array<tetra::Point, 4>& corners, double z);

/// The mean over a tetrahedron of which layers take their exact parts: see Mean.
Mean mean_of_layers(const std::vector<RockProfile::Row>& layers, const std::array<tetra::Point, 4>& corners);

}  // namespace groundswell::quake
