#pragma once

#include <mpi.h>

#include "groundswell/quake/fault/saved_fault.hpp"
#include "groundswell/quake/streams/recorder.hpp"

namespace groundswell::quake {

/// Stream of faults' fields, on triangles of their faces. `saved`: of the field's fault; outlives the stream.
RecordedStream make_fault_map(MPI_Comm comm, const ProjectedCase& run, const FaultMapSection& section,
                              const Domain& domain, const SavedFault& saved, Fault& fault);

/// The same at places of faults, on which acts what `input` says. base::Refusal on all ranks for a place that none has. Collective.
RecordedStream make_fault_receivers(MPI_Comm comm, const ProjectedCase& run,
                                    const FaultReceiversSection& section, const FaultInput& input,
                                    const SavedFault& saved, Fault& fault);

/// Totals of all faults: moment, its rate, area, slip, work.
RecordedStream make_rupture_series(MPI_Comm comm, const ProjectedCase& run,
                                   const RuptureSeriesSection& section, Fault& fault);

}  // namespace groundswell::quake
