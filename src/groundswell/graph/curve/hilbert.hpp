// Places along a curve that fills space: what is near on the curve is near in space.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace groundswell::graph {

/// The curve visits 2^hilbert_levels places in each direction.
inline constexpr int hilbert_levels = 21;

/// Distance of the place (x, y, z) of a cube of 2^levels places a side from the curve's start at (0, 0, 0),
/// each place one step from the one before. D. Hilbert 1891 (doi:10.1007/BF01199431), in three dimensions
/// after C. H. Hamilton 2006 (Compact Hilbert Indices, Dalhousie University, CS-2006-07).
std::uint64_t hilbert_position(std::array<std::uint32_t, 3> place, int levels = hilbert_levels);

/// The same for points in space, which all ranks together enclose in a cube. Collective.
std::vector<std::uint64_t> hilbert_positions(MPI_Comm comm, std::span<const std::array<double, 3>> points);

}  // namespace groundswell::graph
