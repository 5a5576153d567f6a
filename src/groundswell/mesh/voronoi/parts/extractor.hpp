// From a whole mesh to the part of a rank, without MPI.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/mesh/voronoi/global_mesh.hpp"
#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/mesh/voronoi/parts/cell_rows.hpp"

namespace groundswell::voronoi {

/// Cuts parts out of a mesh one after the other. Each costs time and memory by its own size; the
/// extractor itself holds a few numbers per cell and vertex of the mesh. `mesh` and `part` must outlive it.
class Extractor {
public:
    /// `mesh` in model order (cells 0, 1, … are model ids); part[c] in [0, parts). layers: 1 or 2. group[c] in [0, groups);
    /// empty: one group.
    Extractor(const GlobalMesh& mesh, std::span<const int> part, int parts, int layers,
              std::span<const std::int32_t> group = {}, int groups = 1);

    /// The part of the mesh that rank `rank` holds.
    LocalMesh local_mesh(int rank) const;

private:
    void append(std::int32_t cell, CellRows& rows) const;

    const GlobalMesh& mesh_;
    std::span<const int> part_;
    std::span<const std::int32_t> group_;
    int layers_, groups_;
    MeshTotals totals_;
    Nodes nodes_;
    std::vector<std::int32_t> cells_by_part_;  // ascending inside a part
    std::vector<std::int64_t> part_begin_;     // [parts + 1]
    std::vector<std::int64_t> face_;           // [cells] place in mesh-file order
};

}  // namespace groundswell::voronoi
