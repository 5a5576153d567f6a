#pragma once

#include <mpi.h>

#include "groundswell/quake/fault/saved_fault.hpp"
#include "groundswell/quake/streams/recorder.hpp"

namespace groundswell::quake {

/// Makes the output of faults on triangles of their faces. `saved`: of the field's fault; outlives the stream, as `input` does.
template <class Real>
RecordedStream make_fault_map(MPI_Comm comm, const Case& run, const FaultMapSection& section,
                              const Domain& domain, const SavedFault& saved, Wavefield<Real>& field);

/// The same at places of faults. base::Refusal on all ranks for a place that none has. Collective.
template <class Real>
RecordedStream make_fault_receivers(MPI_Comm comm, const Case& run, const FaultReceiversSection& section,
                                    const SavedFault& saved, Wavefield<Real>& field);

/// Makes the output of all faults together: moment, its rate, area, slip, work.
template <class Real>
RecordedStream make_rupture_series(MPI_Comm comm, const Case& run, const RuptureSeriesSection& section,
                                   Wavefield<Real>& field);

}  // namespace groundswell::quake
