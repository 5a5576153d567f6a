#pragma once

#include <mpi.h>

#include <span>
#include <vector>

#include "groundswell/mesh/tetra/locate.hpp"

namespace groundswell::quake {

/// Side of a fault whose motion a place has.
enum class FaultSide { none, plus, minus };

/// The side on a fault for each place that lies on one, where the ground moves in two ways: that of the cell that locate() has
/// `found`; none for all others. Every rank passes the same places. Collective.
std::vector<FaultSide> sides_of_places(MPI_Comm comm, const tetra::LocalMesh& mesh,
                                       std::span<const tetra::Point> places,
                                       std::span<const tetra::Located> found);

}  // namespace groundswell::quake
