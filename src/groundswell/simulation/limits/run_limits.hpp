#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/exec/machine_limits.hpp"
#include "groundswell/simulation/limits/kernel_judgement.hpp"

/// Limits of the machines of a run.
namespace groundswell::simulation {

/// Limits of one host, with the threads of all its ranks at work, as `groundswell doctor` measured them, in a small file of the
/// user's: $XDG_CACHE_HOME/groundswell/limits.json, or ~/.cache/groundswell/limits.json, or the one that GROUNDSWELL_LIMITS names.
/// It saves runs the measurement, and may be deleted at any time.
struct StoredLimits {
    std::string host, processor;  ///< its name; exec::processor_identity()
    std::string isa;              ///< the instruction set in use
    int threads = 1;              ///< of all ranks on the host together
    double stream_gigabytes_per_second = 0.0;
    double peak_gflops_float = 0.0, peak_gflops_double = 0.0;
    std::int64_t measured = 0;  ///< when, s since 1970
};

/// Older ones do not count: memory is added to machines, and firmware is changed.
inline constexpr std::int64_t longest_age_of_limits = std::int64_t{90} * 86400;

/// Place of the file, from environment variables; empty where there is no such folder.
std::string limits_path(const std::function<std::string(const char*)>& variable);
std::string limits_path();

/// All that the file has; none where it is missing, cannot be read or holds something else.
std::vector<StoredLimits> read_limits(const std::string& path);

/// Contents of the file, in JSON, and the reading of such a text.
std::string text_of(const std::vector<StoredLimits>& limits);
std::vector<StoredLimits> limits_in(const std::string& text);

/// Those of `wanted`'s host, processor, instruction set and threads, if they are not too old at the time `now`, s since 1970.
std::optional<StoredLimits> find_limits(const std::vector<StoredLimits>& stored, const StoredLimits& wanted,
                                        std::int64_t now);

/// Adds some, in place of those that they succeed: of the same instruction set and threads, and of another processor that the
/// host had. The file appears whole under its name. Returns why it could not be written; empty: it was.
std::string store_limits(const std::string& path, const std::vector<StoredLimits>& more);

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
