// One rank's slab of a mesh file: its cells, and of the rest what they touch.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

#include "groundswell/mesh/voronoi/global_mesh.hpp"
#include "groundswell/mesh/voronoi/mesh_file.hpp"
#include "groundswell/mesh/voronoi/mpas/mpas_arrays.hpp"
#include "groundswell/parallel/row_blocks.hpp"
#include "groundswell/parallel/sparse_exchange.hpp"

namespace groundswell::voronoi {

struct Slab {
    parallel::RowBlocks cells, vertices;  ///< of the file: who read which
    /// The cells of this rank's block. `neighbour` counts rows of the file; edges and vertices are numbered
    /// here, vertices as held_vertices says.
    GlobalMesh mesh;
    HeldRows held_vertices;
    std::uint64_t outline_sum = 0;  ///< OutlineSum of the whole file; the same on every rank
    std::int64_t bytes_read = 0;
};

/// Every rank reads a contiguous block of cells, one of edges and one of vertices, gets from the others what
/// its cells touch, and checks its cells. Throws base::Refusal on all ranks where read_mesh() would, and
/// where the ranks do not find the same file. Memory by the rank's block; messages by the blocks that its
/// cells touch. Collective.
Slab read_slab(MPI_Comm comm, parallel::SparseExchange& exchange, const std::string& path,
               const ReadOptions& options);

}  // namespace groundswell::voronoi
