#pragma once

#include <mpi.h>

#include <memory>

#include "groundswell/output/decomposition.hpp"
#include "groundswell/sea/case.hpp"
#include "groundswell/sea/output_schema.hpp"
#include "groundswell/sea/streams/situations.hpp"
#include "groundswell/sea/streams/statistics.hpp"
#include "groundswell/simulation/stream.hpp"

namespace groundswell::sea {

/// Extent of the sea: the smallest and largest coordinates of cell centres, in degrees. Collective.
Extent find_extent(MPI_Comm comm, const voronoi::LocalMesh& mesh);

/// Fields on all faces. `faces` are those of the model's cells; they, the model, its situations and `statistics`, which has those of
/// this section, must outlive the stream. Collective.
std::unique_ptr<simulation::Stream> make_map(MPI_Comm comm, const Case& run,
                                             const simulation::MapSection& section, const Model& model,
                                             Situations& situations, Statistics& statistics,
                                             const Extent& extent, const output::Decomposition& faces);

}  // namespace groundswell::sea
