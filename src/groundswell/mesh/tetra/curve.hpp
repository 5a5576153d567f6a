#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "groundswell/mesh/tetra/slab.hpp"

namespace groundswell::tetra {

/// Where the cells of a slab stand along a space-filling curve, which goes through their centres: what deal_cells() cuts.
/// Collective.
std::vector<std::uint64_t> places_on_curve(MPI_Comm comm, const Slab& slab);

}  // namespace groundswell::tetra
