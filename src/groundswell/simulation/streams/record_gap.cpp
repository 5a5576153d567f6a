#include "groundswell/simulation/streams/record_gap.hpp"

#include <algorithm>
#include <cmath>

namespace groundswell::simulation {

std::optional<RecordGap> find_record_gap(std::span<const double> times, const Schedule& schedule,
                                         base::Duration every, base::Instant restart) {
    const std::int64_t done = (restart - schedule.start).microseconds / every.microseconds;
    const base::Instant next = schedule.start + base::Duration{(done + 1) * every.microseconds};
    RecordGap gap;
    if (next <= schedule.end) gap.first = next;
    if (times.empty()) return gap;  // the start always has a record
    const auto instant = [](double seconds) { return base::Instant{std::llround(1e6 * seconds)}; };
    gap.last = instant(times.back());
    // A gap of an earlier run is no interval: the shortest is taken.
    std::optional<base::Duration> before;
    for (std::size_t i = 1; i < times.size(); ++i) {
        const base::Duration interval = instant(times[i]) - instant(times[i - 1]);
        before = std::min(before.value_or(interval), interval);
    }
    if (next - *gap.last <= std::max(every, before.value_or(every))) return std::nullopt;
    return gap;
}

}  // namespace groundswell::simulation
