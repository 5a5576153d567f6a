// Outline of a mesh for its partition: which cells touch, which are wet, and where they lie along the
// curve that orders them. No geometry.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "groundswell/base/hash.hpp"
#include "groundswell/graph/partition.hpp"
#include "groundswell/mesh/voronoi/culling.hpp"
#include "groundswell/mesh/voronoi/mesh_file.hpp"

namespace groundswell::voronoi {

/// Checksum of what is read twice of a file's cells: by each rank for its slab, and by one for the outline. Sums of
/// hashes, so that they do not depend on which rank reads which cells.
class OutlineSum {
public:
    void add_depth(std::int64_t row, double depth) { sum_ += (base::Hash() << row << depth).value(); }
    void add_neighbours(std::int64_t row, std::span<const std::int32_t> neighbours) {
        base::Hash hash;
        hash << row;
        for (const std::int32_t other : neighbours) hash << std::int64_t{other};
        sum_ += hash.value();
    }
    void add_place(std::int64_t row, double lon, double lat) {
        sum_ += (base::Hash() << row << lon << lat).value();
    }
    std::uint64_t value() const { return sum_; }

private:
    std::uint64_t sum_ = 0;
};

/// The sea of a mesh file in model order.
struct Outline {
    std::vector<std::int32_t> row;  ///< in the file, of each cell
    graph::Graph graph;
    std::int32_t mesh_cells = 0;  ///< in the file
    std::int64_t bytes_read = 0;
};

/// Reads the outline of a file that read_slab() has checked, a piece of rows at a time, and leaves out land
/// and small waters. Called by one rank: its memory grows with the mesh, by about 75 bytes a cell at most.
/// Throws base::Refusal if nothing is left, or if the file has changed since: it has not so many cells, or
/// the sum of its cells, of all ranks' slabs together, is not `sum`.
Outline read_outline(const std::string& path, const ReadOptions& options, const CullOptions& cull,
                     std::int32_t cells, std::uint64_t sum, CullReport& report);

}  // namespace groundswell::voronoi
