#pragma once

#include <optional>
#include <span>

#include "groundswell/base/time.hpp"
#include "groundswell/simulation/schedule.hpp"

namespace groundswell::simulation {

/// A time without records in an output file that is continued. The run before lost them: it had given the
/// file up (on_error = "drop"), or its last records went with the host.
struct RecordGap {
    std::optional<base::Instant> last;   ///< record before it; none: the file has no records
    std::optional<base::Instant> first;  ///< record after it; none: this run writes no more
};

/// Whether records are missing between those that an output file has, at these `times` (as record_time() gives them), and
/// those that a run which goes on behind `restart` will write `every` so often. Where the interval was another
/// one before, none are. Not collective.
std::optional<RecordGap> find_record_gap(std::span<const double> times, const Schedule& schedule,
                                         base::Duration every, base::Instant restart);

}  // namespace groundswell::simulation
