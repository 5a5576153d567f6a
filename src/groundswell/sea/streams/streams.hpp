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

/// Fields on a grid, remapped by areas that are found here once. Rows of boxes are dealt out to the ranks in blocks; each rank asks for the
/// cells in its boxes and sums over them by their ids, so that the bits are those of any number of ranks. base::Refusal on all ranks
/// for a grid without sea. `model` and its situations must outlive the stream. Collective.
std::unique_ptr<simulation::Stream> make_grid(MPI_Comm comm, const Case& run, const GridSection& section,
                                              const Model& model, Situations& situations);

/// Fields, or spectra where the section names none, at the sea cells nearest to its points. `model`
/// and its situations must outlive the stream. Collective.
std::unique_ptr<simulation::Stream> make_points(MPI_Comm comm, const Case& run, const PointsSection& section,
                                                const Model& model, Situations& situations);

}  // namespace groundswell::sea
