#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>

#include "groundswell/mesh/tetra/slab.hpp"

namespace groundswell::quake {

/// A cell in which something is largest or smallest.
struct Extreme {
    double value = 0.0;
    std::int64_t cell = 0;  ///< row of the mesh
    tetra::Point centre{};  ///< m
};

/// The smallest or largest value in the whole mesh; `value` by cell of the slab, of equal ones the first row. Collective.
Extreme find_smallest(MPI_Comm comm, const tetra::Slab& slab, std::span<const double> value);
Extreme find_largest(MPI_Comm comm, const tetra::Slab& slab, std::span<const double> value);

}  // namespace groundswell::quake
