#pragma once

#include <mpi.h>

#include <span>
#include <vector>

#include "groundswell/mesh/tetra/locate.hpp"

namespace groundswell::quake {

/// Which side of a fault a place has the motion of.
enum class FaultSide { none, plus, minus };

/// Of places on a face of a fault, where the ground moves in two ways, the side of the cell that locate() has `found` for each;
/// of all others none. Every rank passes the same places. Collective.
std::vector<FaultSide> sides_of_places(MPI_Comm comm, const tetra::LocalMesh& mesh,
                                       std::span<const tetra::Point> places,
                                       std::span<const tetra::Located> found);

}  // namespace groundswell::quake
