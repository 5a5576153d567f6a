#pragma once

#include <cstdint>
#include <optional>

/// Faults and slowness that tests ask for by environment variables; nothing happens where those are not set.
///
/// GROUNDSWELL_TEST_DISK=40MB/s        a disk of that speed, shared by all ranks that write (kB, MB or GB)
/// GROUNDSWELL_TEST_FAIL=write:EIO:7   the 7th write call of each rank fails with that error (EIO, ENOSPC,
///                                     EDQUOT, EACCES, EROFS); in place of the error "silent": it reports
///                                     success and writes nothing, and "short": it reports success and
///                                     writes half; a fourth field names the one rank where it happens
/// GROUNDSWELL_TEST_SPACE=unknown      the file system neither sets room aside nor tells how much is free,
///                                     as with a quota on a network disk: a full one is met while writing
/// GROUNDSWELL_TEST_SERVERS=spin       output servers look for values without a pause, so that they never give
///                                     their core away
namespace groundswell::output {

class TestHooks {
public:
    /// Reads the environment. Refusal when a variable is set to something else than the above.
    static TestHooks from_environment(int rank);

    /// Fate of the next write call of this rank: an errno, 0 for nothing special, `silent` or
    /// `shortened`.
    static constexpr int silent = -1, shortened = -2;
    int next_write();

    /// Makes a write of `bytes` that took `seconds` last as long as on the slow disk, with `writers` ranks
    /// sharing it.
    void throttle(std::int64_t bytes, int writers, double seconds) const;

    /// True if GROUNDSWELL_TEST_SPACE says so. Refusal when it has another value.
    static bool space_is_unknown();

    /// True if GROUNDSWELL_TEST_SERVERS says so. Refusal when it has another value.
    static bool servers_spin();

private:
    double bytes_per_second_ = 0.0;  // 0: as fast as it is
    std::int64_t failing_call_ = 0;  // 0: none
    int error_ = 0;
    std::int64_t calls_ = 0;
};

}  // namespace groundswell::output
