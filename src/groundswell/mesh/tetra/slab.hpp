// The cells of a mesh of tetrahedra as ranks read them: each a block, and nothing of global length anywhere.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "groundswell/mesh/tetra/box.hpp"
#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/parallel/row_blocks.hpp"
#include "groundswell/parallel/sparse_exchange.hpp"

namespace groundswell::tetra {

/// One rank's block of cells, in the order of the file.
struct Slab {
    parallel::RowBlocks blocks;       ///< of the cells
    std::int64_t vertices = 0;        ///< vertex numbers lie below this one
    std::vector<Tetrahedron> cell;    ///< [block]
    std::vector<std::int64_t> group;  ///< [block]: which material a cell is of, as the mesh numbers them
    std::int64_t bytes_read = 0;      ///< from the file by this rank
};

/// Each rank makes its block. No communication.
Slab slab_of(MPI_Comm comm, const Box& box);

/// Reads a mesh in the PUML form of HDF5, as PUMGen writes it: `geometry` (vertex, 3), `connect` (cell, 4),
/// `group` (cell) and `boundary` (cell), in which each face has 8 or 16 bits, or (cell, 4), as the attribute
/// `boundary-format` says, or without it as the numbers do; in periodic meshes (attribute `topology-format`) `identify` (vertex), by which vertices at both
/// ends of a period are one. Tags: 0 and 6 no boundary, 1 free surface, 5 absorbing, 3 and above 64 a fault. base::Refusal on
/// all ranks for what is not of that form, for cells without volume and for those whose corners stand the wrong way round.
/// Collective.
Slab read_puml(MPI_Comm comm, parallel::SparseExchange& exchange, const std::string& path, double join = 0.0);

/// Reads a mesh in Gmsh's form MSH 4.1 or 2.2, text or binary, of tetrahedra of first or second order; edges are straight. The number of a physical volume is the
/// group of its cells; a physical surface says by name or number what lies at its triangles (gmsh/outline.hpp). One rank goes
/// through the file once to see what lies where; what ranks keep and parse are their own blocks. base::Refusal on all ranks
/// for what is not of that form and for cells without volume. Collective.
Slab read_gmsh(MPI_Comm comm, parallel::SparseExchange& exchange, const std::string& path, double join = 0.0);

/// Reads a mesh in whichever format of formats/ its first bytes say. `join`: vertices no farther apart, m, are one (join.hpp); 0:
/// each is its own. Collective.
Slab read_mesh(MPI_Comm comm, parallel::SparseExchange& exchange, const std::string& path, double join = 0.0);

/// Whether a file holds a mesh of tetrahedra, in one of the formats of formats/. False also for what cannot be read. Not
/// collective.
bool is_tetrahedra(const std::string& path);

/// Neighbours across the four faces of each cell of the block. base::Refusal on all ranks for a face that three cells share,
/// for one that has no other cell and no boundary either, for one with both, and for faces of one fault that say
/// different things; `path` names the mesh in the message. Collective.
std::vector<std::array<Across, 4>> find_neighbours(MPI_Comm comm, parallel::SparseExchange& exchange,
                                                   const Slab& slab, const std::string& path);

}  // namespace groundswell::tetra
