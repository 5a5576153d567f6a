// What cutting a mesh needs to know of it: which cells touch, which are wet, and where they lie along the
// curve that orders them. No geometry.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "groundswell/mesh/culling.hpp"
#include "groundswell/mesh/mesh_file.hpp"
#include "groundswell/mesh/partition.hpp"

namespace groundswell::mesh {

/// The sea of a mesh file in model order.
struct Outline {
    std::vector<std::int32_t> row;  ///< in the file, of each cell
    Graph graph;
    std::int32_t mesh_cells = 0;  ///< in the file
    std::int64_t bytes_read = 0;
};

/// Reads the outline of a file that read_slab() has checked, a piece of rows at a time, and leaves out land
/// and small waters. Called by one rank: its memory grows with the mesh, by about 75 bytes a cell at most.
/// Throws base::Refusal if nothing is left.
Outline read_outline(const std::string& path, const ReadOptions& options, const CullOptions& cull,
                     CullReport& report);

}  // namespace groundswell::mesh
