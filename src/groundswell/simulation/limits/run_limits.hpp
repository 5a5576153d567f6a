#pragma once

#include <mpi.h>

#include "groundswell/exec/machine_limits.hpp"
#include "groundswell/simulation/limits/kernel_judgement.hpp"
#include "groundswell/simulation/limits/stored_limits.hpp"

/// Limits of the machines of a run.
namespace groundswell::simulation {

struct RunLimits {
    exec::MachineLimits limits;  ///< of all ranks together; 0: not known
    bool stored = false;         ///< by doctor, on all hosts; else measured
    KernelCircumstances circumstances;
};

/// A run of less than this is not judged, nor worth a measurement, s.
inline constexpr double least_judged_seconds = 1.0;

/// With exec::threads() threads of each rank, in numbers of so many bytes. A host whose limits doctor has stored, with as many
/// threads in all, is not measured again. Of the others, if `measures`, all ranks work at the same time, for some tens of
/// milliseconds; best at the end of a run, when clocks and caches are as it had them and its memory is counted. Collective.
RunLimits find_run_limits(MPI_Comm comm, int number_bytes, bool measures);

/// Request to a host: this one with so many threads, and nothing measured yet.
StoredLimits limits_to_find(int threads);

/// The instruction set in use and the like; `core_share` is left to the caller.
KernelCircumstances circumstances();

}  // namespace groundswell::simulation
