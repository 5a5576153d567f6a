#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "groundswell/base/time.hpp"
#include "groundswell/simulation/case.hpp"

namespace groundswell::simulation {

/// When a model steps. A *cycle* is a fixed number of its steps after which the state is whole: all outputs,
/// restarts and the end fall on the end of one. The greatest common divisor of their intervals is cut into equal
/// cycles, and each of those into equal steps. Counted in whole numbers from the start, so a time never drifts,
/// and a restart continues with the very same steps.
///
/// Or the model has a step of its own (StepRules::own_step), which no output changes: then every step is a cycle,
/// the records that fall into one are written at its end, a restart at the first end that reaches its time, and the
/// last step reaches beyond the end of the run.
struct Schedule {
    base::Instant start, end;
    double own_step = 0.0;             ///< s; 0: the model has none
    base::Duration interval;           ///< common divisor of everything that must fall on the end of a cycle
    std::int64_t cycles = 1;           ///< in an interval
    std::int64_t steps_per_cycle = 1;  ///< of the model
    std::int64_t total_steps = 0;      ///< of the model, from start to end
    bool has_date = true;              ///< false: instants count from 0 at the start

    std::int64_t steps_per_interval() const { return cycles * steps_per_cycle; }
    double step_seconds() const {
        return own_step > 0.0 ? own_step : interval.seconds() / static_cast<double>(steps_per_interval());
    }
    double cycle_seconds() const {
        return own_step > 0.0 ? own_step : interval.seconds() / static_cast<double>(cycles);
    }
    bool ends_cycle(std::int64_t step) const { return step % steps_per_cycle == 0; }

    /// Seconds from the start, and the moment (to the nearest microsecond), after `step` steps.
    double seconds_at(std::int64_t step) const;
    base::Instant instant_at(std::int64_t step) const;

    /// The first step after which a moment is reached.
    std::int64_t step_at(base::Instant instant) const;

    /// Number of records of a file that gets one `every` so often after `step` steps, the one of the start
    /// among them. A model with a step of its own has those before the end of that step.
    std::int64_t records_until(base::Duration every, std::int64_t step) const;
    /// Records up to this moment belong to the first `step` steps.
    base::Instant last_record_at(std::int64_t step) const;
    /// Whether something that is due `every` so often, but not at the start, is due after `step` steps. Of a model with a step of
    /// its own not after the last one, which goes beyond the end, but before it.
    bool is_due(base::Duration every, std::int64_t step) const;

    /// A moment for people, and for names of files: 2024-09-03T00:00:00Z and 20240903T000000, or 12.500000s.
    std::string text(base::Instant instant) const;
    std::string file_text(base::Instant instant) const;
};

/// Constraints of a model on its steps. The same on every rank.
struct StepRules {
    /// Longest stable step in seconds; may be infinite.
    double longest_step = std::numeric_limits<double>::infinity();
    /// Share of it that an automatic step may use, within (0, 1].
    double share = 1.0;
    /// Steps are never shorter than this: what makes them so is a mistake in the mesh or the case.
    double shortest_step = 1e-6;
    std::string what = "this case";  ///< whose longest stable step it is: "this mesh and spectrum"
    /// Cycles of several steps, which the key `time.CYCLE_KEY` sets; empty: every step is a cycle.
    std::string cycle_key;
    std::string cycle_name;               ///< "source step"
    std::optional<base::Duration> cycle;  ///< what that key asks for; empty: automatic
    base::Duration longest_cycle = {0};   ///< of an automatic one
    /// If not 0: the step in seconds, which comes from the case without its outputs. Nothing above is heeded then.
    double own_step = 0.0;
};

/// The schedule of a case. Refuses, naming the case file and the key, a step that is not stable or does not fit
/// the outputs. The same on every rank; not collective.
Schedule make_schedule(const Case& run, const StepRules& rules);

/// The schedule with which a restarted case continues steps laid out before: same steps, perhaps another end and
/// other outputs. Refuses outputs and an end that do not fall on whole cycles of `before`, a case that asks for
/// other steps, and one whose longest stable step has become shorter.
Schedule continue_schedule(const Case& run, const Schedule& before, const StepRules& rules);

}  // namespace groundswell::simulation
