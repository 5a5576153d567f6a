// The part of every cell of a mesh, cut beforehand and kept in a file.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "groundswell/mesh/voronoi/parts/slab.hpp"
#include "groundswell/parallel/sparse_exchange.hpp"

namespace groundswell::voronoi {

/// Where a file with the parts of a mesh's cells is looked for, the first one first. Of ocean.grid.nc and 64 parts:
/// ocean.grid.part.64.nc (NetCDF, as write_parts() writes it), then ocean.grid.graph.info.part.64, ocean.graph.info.part.64 and
/// graph.info.part.64 (text, as METIS writes it and MPAS reads it), in the folder of the mesh.
std::vector<std::string> part_file_names(const std::string& mesh, int parts);

/// The first of these that there is; empty if there is none. Asks the disk: on one rank.
std::string find_part_file(const std::string& mesh, int parts);

/// Whether a path names the NetCDF form (it ends in .nc) and not the text of one number a line.
bool is_netcdf_part_file(const std::string& path);

/// Checksum of which cells touch which, as the mesh file has them; a NetCDF file of parts stores it to name its mesh.
/// The sum over blocks of cells is that of the whole mesh.
std::uint64_t sum_of_graph(const GlobalMesh& cells, std::int64_t first_row);

/// The parts of the cells of this rank's slab, in [0, parts), or -1 where the file gives a cell to none. Each rank reads its share
/// of the file. `slab` is as read_slab() left it; the bytes are added to
/// those that it cost. Throws base::Refusal on all ranks, with file, line or cell, where the file is
/// no such file, or belongs to another mesh or to another number of parts. Messages and memory by the share of the cells.
/// Collective.
std::vector<std::int32_t> read_parts(MPI_Comm comm, parallel::SparseExchange& exchange,
                                     const std::string& path, Slab& slab, int parts);

}  // namespace groundswell::voronoi
