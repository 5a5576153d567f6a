#pragma once

#include <mpi.h>

#include <memory>

#include "groundswell/sea/case.hpp"
#include "groundswell/sea/streams/stream.hpp"

namespace groundswell::sea {

/// Fields, or spectra where the section names none, at the sea cells nearest to its points. Collective.
std::unique_ptr<Stream> make_points(MPI_Comm comm, const Case& run, const PointsSection& section,
                                    const Model& model);

}  // namespace groundswell::sea
