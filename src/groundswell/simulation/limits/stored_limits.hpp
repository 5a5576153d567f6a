#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Measured limits of machines, as `groundswell doctor` measured it, in a small file of the user's:
/// $XDG_CACHE_HOME/groundswell/limits.json, or ~/.cache/groundswell/limits.json, or the one that GROUNDSWELL_LIMITS names. It
/// saves runs the measurement, and may be deleted at any time.
namespace groundswell::simulation {

/// Limits of one host, with the threads of all its ranks at work.
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

}  // namespace groundswell::simulation
