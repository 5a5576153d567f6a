// New ranks for processes, as the MPI library sees fit. Used by load_mesh.
#pragma once

#include <mpi.h>

#include "groundswell/graph/map/part_graph.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::graph {

/// A communicator of the same processes, in which the library may have given them other ranks: it is told
/// that ranks p and q exchange as much as parts p and q of `parts`, which is looked at on rank 0 alone; no
/// other rank holds more than its own row. GROUNDSWELL_TEST_REORDER=reverse|rotate pretends that the library
/// moved ranks; throws base::Refusal on all ranks for anything else. Collective.
parallel::Communicator reorder_ranks(MPI_Comm comm, const PartGraph& parts);

}  // namespace groundswell::graph
