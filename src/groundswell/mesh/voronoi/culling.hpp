// Choice of the cells that are sea.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "groundswell/graph/partition.hpp"
#include "groundswell/mesh/voronoi/global_mesh.hpp"

namespace groundswell::voronoi {

struct CullOptions {
    double dry_depth = 0.0;  ///< m: cells not deeper than this are land
    /// Waters with fewer cells than this share of the largest one's are culled.
    double smallest_sea_share = 0.01;
};

struct CullReport {
    std::int64_t mesh_cells = 0;  ///< in the file
    std::int64_t land = 0;        ///< culled: not deeper than dry_depth
    /// Culled: water joined neither to the largest sea nor to another one large enough.
    std::int64_t enclosed = 0;
    int enclosed_waters = 0;  ///< separate waters that these cells formed
    int seas = 0;             ///< separate waters kept
};

/// Throws base::Refusal naming the deepest cell of all, `deepest` metres, if no cell is wet.
void require_sea(const std::string& source, bool any_wet, double deepest, const CullOptions& options);

/// Wet cells in waters that are large enough, ascending; cells are joined across edges. Fills in what the report
/// says of waters.
std::vector<std::int32_t> cells_of_seas(const graph::Graph& wet, const CullOptions& options,
                                        CullReport& report);

/// The sea of `mesh`, cells in their order: land and small enclosed waters removed.
/// Throws base::Refusal if nothing is left.
GlobalMesh cull(GlobalMesh mesh, const CullOptions& options, CullReport& report);

}  // namespace groundswell::voronoi
