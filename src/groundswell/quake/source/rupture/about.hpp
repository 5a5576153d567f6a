#pragma once

#include <string>

#include "groundswell/quake/source/rupture/sub_source.hpp"

namespace groundswell::quake {

/// Between which times a rupture acts, s. A rate without end counts for ten of its times.
struct Times {
    double begin = 0.0, end = 0.0;
};
Times times_of(const Rupture& rupture);

/// The corners of a box about its parts, m.
struct Extent {
    tetra::Point low{}, high{};
};
Extent extent_of(const Rupture& rupture);
/// "x -950 to 950 m, y 0 to 0 m, z -2200 to -1800 m".
std::string text_of(const Extent& extent);

/// A line for people: how many parts, where, when, and the moment as far as it is known without a mesh.
std::string about(const std::string& name, const Rupture& rupture);

}  // namespace groundswell::quake
