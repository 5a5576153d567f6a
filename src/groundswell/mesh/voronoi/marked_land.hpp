#pragma once

#include <cstdint>
#include <string>

namespace groundswell::voronoi {

/// Cells of a mesh file that it marks as land (cullCell or landMask 1, maxLevelCell 0, as MPAS has them) although their
/// bottomDepth is positive, which alone decides here.
struct MarkedLand {
    std::int64_t cells = 0;
    std::string marks;  ///< the variables, for people
};

/// Reads a piece of the file at a time; nothing where it has no such variable. Called by one rank.
MarkedLand find_marked_land(const std::string& path);

}  // namespace groundswell::voronoi
