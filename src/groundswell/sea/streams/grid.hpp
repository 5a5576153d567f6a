#pragma once

#include <memory>

#include "groundswell/sea/case.hpp"
#include "groundswell/sea/streams/situations.hpp"
#include "groundswell/simulation/stream.hpp"

namespace groundswell::sea {

/// Fields on a grid, remapped by areas that are found here once. Rows of boxes are dealt out to the ranks in blocks; each rank asks for the
/// cells in its boxes and sums over them by their ids, so that the bits are those of any number of ranks. base::Refusal on all ranks
/// for a grid without sea. `model` and its situations must outlive the stream. Collective.
std::unique_ptr<simulation::Stream> make_grid(MPI_Comm comm, const Case& run, const GridSection& section,
                                              const Model& model, Situations& situations);

}  // namespace groundswell::sea
