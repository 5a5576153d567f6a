#pragma once

#include <mpi.h>

#include <memory>

#include "groundswell/sea/case.hpp"
#include "groundswell/sea/streams/situations.hpp"
#include "groundswell/simulation/stream.hpp"

namespace groundswell::sea {

/// Fields, or spectra where the section names none, at the sea cells nearest to its points. `model`
/// and its situations must outlive the stream. Collective.
std::unique_ptr<simulation::Stream> make_points(MPI_Comm comm, const Case& run, const PointsSection& section,
                                                const Model& model, Situations& situations);

}  // namespace groundswell::sea
