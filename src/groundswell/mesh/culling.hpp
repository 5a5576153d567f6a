// Which cells are sea.
#pragma once

#include <cstdint>
#include <vector>

#include "groundswell/mesh/global_mesh.hpp"

namespace groundswell::mesh {

struct CullOptions {
    double dry_depth = 0.0;  ///< m: cells not deeper than this are land
    double smallest_sea_share =
        0.01;  ///< waters with fewer cells than this share of the largest one's are culled
};

struct CullReport {
    std::int64_t mesh_cells = 0;  ///< in the file
    std::int64_t land = 0;        ///< culled: not deeper than dry_depth
    std::int64_t enclosed =
        0;  ///< culled: water joined neither to the largest sea nor to another one large enough
    int enclosed_waters = 0;  ///< separate waters that these cells formed
    int seas = 0;             ///< separate waters kept
};

/// Component (0, 1, … in order of the lowest cell) of every cell; cells are joined across edges.
/// `count` receives how many there are.
std::vector<std::int32_t> connected_waters(const GlobalMesh& mesh, std::int32_t& count);

/// The sea of `mesh`, cells in their order: land and small enclosed waters removed.
/// Throws base::Refusal if nothing is left.
GlobalMesh cull(GlobalMesh mesh, const CullOptions& options, CullReport& report);

}  // namespace groundswell::mesh
