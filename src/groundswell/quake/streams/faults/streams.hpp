#pragma once

#include <mpi.h>

#include "groundswell/quake/fault/saved_fault.hpp"
#include "groundswell/quake/streams/recorder.hpp"

namespace groundswell::quake {

/// Stream of faults' fields, on triangles of their faces. `saved`: of the field's fault; outlives the stream.
template <class Real>
RecordedStream make_fault_map(MPI_Comm comm, const ProjectedCase& run, const FaultMapSection& section,
                              const Domain& domain, const SavedFault& saved, Wavefield<Real>& field);

/// The same at places of faults, on which acts what `input` says. base::Refusal on all ranks for a place that none has. Collective.
template <class Real>
RecordedStream make_fault_receivers(MPI_Comm comm, const ProjectedCase& run,
                                    const FaultReceiversSection& section, const FaultInput& input,
                                    const SavedFault& saved, Wavefield<Real>& field);

/// Totals of all faults: moment, its rate, area, slip, work.
template <class Real>
RecordedStream make_rupture_series(MPI_Comm comm, const ProjectedCase& run,
                                   const RuptureSeriesSection& section, Wavefield<Real>& field);

}  // namespace groundswell::quake
