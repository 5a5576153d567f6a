#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "groundswell/base/time.hpp"
#include "groundswell/sea/case.hpp"

namespace groundswell::sea {

/// When the model steps. All outputs and the end fall on whole steps: the greatest common divisor of their
/// intervals is cut into equal source steps, and each of those into equal propagation steps. Counted in whole
/// numbers from the start, so a time never drifts, and a restart continues with the very same steps.
struct TimePlan {
    base::Instant start;
    base::Duration interval;                 ///< common divisor of everything that must fall on a step
    std::int64_t source_steps = 1;           ///< in an interval
    std::int64_t steps_per_source_step = 1;  ///< propagation steps in a source step
    std::int64_t total_steps = 0;            ///< propagation steps from start to end

    std::int64_t steps_per_interval() const { return source_steps * steps_per_source_step; }
    /// Seconds of a propagation step and of a source step.
    double step_seconds() const { return interval.seconds() / static_cast<double>(steps_per_interval()); }
    double source_step_seconds() const { return interval.seconds() / static_cast<double>(source_steps); }
    bool is_source_step(std::int64_t step) const { return step % steps_per_source_step == 0; }

    /// Seconds from the start, and the moment (to the nearest millisecond), after `step` propagation steps.
    double seconds_at(std::int64_t step) const;
    base::Instant instant_at(std::int64_t step) const;

    /// Whether a multiple of `every` after the start is reached exactly after `step` steps.
    bool is_due(base::Duration every, std::int64_t step) const;
};

/// Longest source step chosen by itself: WAM and its offspring use 5 to 15 minutes at these resolutions; the
/// growth limiter's influence falls with the step.
inline constexpr base::Duration longest_automatic_source_step{300'000};

/// The plan of a case on a mesh whose longest stable propagation step is `longest_step` seconds (may be
/// infinite). Refuses, naming the case file and the key, a step that is not stable or does not fit the
/// outputs. The same on every rank; not collective.
TimePlan make_time_plan(const Case& run, double longest_step);

/// The plan with which a restarted case continues steps laid out before: same steps, perhaps another end and
/// other outputs. Refuses outputs and an end that do not fall on whole source steps of `before`, a case that
/// asks for other steps, and one whose longest stable step has become shorter.
TimePlan continue_time_plan(const Case& run, const TimePlan& before, double longest_step);

}  // namespace groundswell::sea
