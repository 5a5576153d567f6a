#pragma once

#include <mpi.h>

#include <memory>

#include "groundswell/output/decomposition.hpp"
#include "groundswell/sea/case.hpp"
#include "groundswell/sea/output_schema.hpp"
#include "groundswell/sea/streams/stream.hpp"

namespace groundswell::sea {

/// Extent of the sea: the smallest and largest coordinates of cell centres, in degrees. Collective.
Extent find_extent(MPI_Comm comm, const voronoi::LocalMesh& mesh);

/// Fields on all faces. `faces` are those of the model's cells, and must outlive the stream. Collective.
std::unique_ptr<Stream> make_map(MPI_Comm comm, const Case& run, const MapSection& section,
                                 const Model& model, const Extent& extent,
                                 const output::Decomposition& faces);

}  // namespace groundswell::sea
