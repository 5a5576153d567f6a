#pragma once

#include <array>
#include <string>
#include <string_view>

namespace groundswell::parallel {

/// Hardware counters of this process and the threads that it starts from now on, outside the kernel, where the
/// system lets it: Linux's perf_event_open(2).
class HardwareCounters {
public:
    static constexpr std::array<std::string_view, 3> names{"instructions", "cycles", "cache_misses"};
    using Counts = std::array<double, names.size()>;

    HardwareCounters();
    ~HardwareCounters();
    HardwareCounters& operator=(HardwareCounters&&) = delete;  // neither copied nor moved

    /// Reason why there are none; empty where there are.
    const std::string& missing() const { return missing_; }
    /// So far: extrapolated where a counter had to share its place with others of the machine.
    Counts read() const;

private:
    std::array<int, names.size()> files_{-1, -1, -1};
    std::string missing_;
};

}  // namespace groundswell::parallel
