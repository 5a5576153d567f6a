#include "groundswell/sea/time_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "groundswell/base/errors.hpp"

namespace groundswell::sea {

namespace {

struct Interval {
    std::string key;
    base::Duration length;
    std::string of;  // which file's, for people
};

// Everything that must fall on a whole step.
std::vector<Interval> intervals(const Case& run) {
    std::vector<Interval> found{{"time.end", run.time.end - run.time.start, "after time.start"}};
    for (const MapSection& map : run.output.maps)
        found.push_back({"output.map[].every", map.every, "for " + map.file});
    for (const PointsSection& points : run.output.points)
        found.push_back({"output.points[].every", points.every, "for " + points.file});
    if (run.output.restart_every)
        found.push_back({"output.restart.every", *run.output.restart_every, "for restart files"});
    return found;
}

// Products of a number of steps and of milliseconds go beyond 64 bits: sixty days at a millisecond's step do.
__extension__ using Wide = __int128;  // g++ and clang have it on every 64-bit machine

// Steps are never shorter than this: what makes them so is a mistake in the mesh or the case.
constexpr double shortest_step = 1e-4;  // s

// Refuses an output that no file can hold, which is a mistake in a unit.
void require_countable_records(const Case& run) {
    constexpr std::int64_t most = INT32_MAX;
    const std::int64_t length = (run.time.end - run.time.start).milliseconds;
    for (const Interval& entry : intervals(run))
        base::require(length / entry.length.milliseconds < most, run.file, entry.key,
                      fmt::format("{} {}", base::format_duration(entry.length), entry.of),
                      fmt::format("at most {} records from time.start to time.end", most));
}

// The least n such that total/n ≤ longest; a quotient that is whole but for rounding is taken as whole.
std::int64_t parts(double total, double longest) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(total / longest * (1.0 - 1e-12))));
}

// The least divisor of `whole` that is not below `least`, which is at most `whole`.
std::int64_t next_divisor(std::int64_t whole, std::int64_t least) {
    std::int64_t found = whole;
    for (std::int64_t small = 1; small <= whole / small; ++small) {
        if (whole % small != 0) continue;
        if (small >= least) return small;
        if (whole / small >= least) found = whole / small;
    }
    return found;
}

// How many times `step` fits into `whole`; refuses when it is no whole number.
std::int64_t exact_parts(const Case& run, const std::string& key, base::Duration whole, base::Duration step,
                         const std::string& what) {
    base::require(whole.milliseconds % step.milliseconds == 0, run.file, key, base::format_duration(step),
                  fmt::format("a divisor of {}, {}", base::format_duration(whole), what));
    return whole.milliseconds / step.milliseconds;
}

// Refuses the first interval that a step given in the case does not divide.
void require_multiples(const Case& run, const std::string& key, base::Duration step) {
    const std::string text = base::format_duration(step);
    for (const Interval& entry : intervals(run))
        base::require(
            entry.length.milliseconds % step.milliseconds == 0, run.file, entry.key,
            fmt::format("{} {}", base::format_duration(entry.length), entry.of),
            fmt::format("a multiple of {} = {}, or another {}: \"auto\" finds one", key, text, key));
}

}  // namespace

double TimePlan::seconds_at(std::int64_t step) const {
    const std::int64_t per = steps_per_interval();
    return static_cast<double>(step / per) * interval.seconds() +
           static_cast<double>(step % per) * step_seconds();
}

base::Instant TimePlan::instant_at(std::int64_t step) const {
    const std::int64_t per = steps_per_interval();
    const Wide rest = Wide{step % per} * interval.milliseconds;
    return {start.milliseconds + step / per * interval.milliseconds +
            static_cast<std::int64_t>((rest + per / 2) / per)};
}

bool TimePlan::is_due(base::Duration every, std::int64_t step) const {
    // step · interval/per is a multiple of every  ⇔  step · interval is a multiple of every · per
    return Wide{step} * interval.milliseconds % (Wide{every.milliseconds} * steps_per_interval()) == 0;
}

TimePlan make_time_plan(const Case& run, double longest_step) {
    require_countable_records(run);
    TimePlan plan;
    plan.start = run.time.start;
    for (const Interval& entry : intervals(run))
        plan.interval.milliseconds = std::gcd(plan.interval.milliseconds, entry.length.milliseconds);

    if (run.time.source_step) require_multiples(run, "time.source_step", *run.time.source_step);
    const std::string common = "the common interval of all outputs and the end";
    const double stable = run.courant * longest_step;
    base::require(stable >= shortest_step, run.file, "time.step",
                  fmt::format("{:.4g} s, the longest stable one of this mesh and spectrum", longest_step),
                  fmt::format("a mesh and a spectrum that allow at least {} s", shortest_step));
    if (run.time.step) {
        const double step = run.time.step->seconds();
        base::require(
            step <= longest_step, run.file, "time.step", base::format_duration(*run.time.step),
            fmt::format("at most {:.4g} s, the longest stable step of this mesh and spectrum", longest_step));
        require_multiples(run, "time.step", *run.time.step);
        const std::int64_t steps = exact_parts(run, "time.step", plan.interval, *run.time.step, common);
        const base::Duration longest_source = run.time.source_step.value_or(longest_automatic_source_step);
        if (run.time.source_step) {
            plan.source_steps =
                exact_parts(run, "time.source_step", plan.interval, *run.time.source_step, common);
            exact_parts(run, "time.step", *run.time.source_step, *run.time.step, "the source step");
        } else {
            // The fewest source steps that are made of whole propagation steps and short enough.
            plan.source_steps = next_divisor(
                steps, std::min(steps, parts(plan.interval.seconds(), longest_source.seconds())));
        }
        plan.steps_per_source_step = steps / plan.source_steps;
    } else {
        plan.source_steps =
            run.time.source_step
                ? exact_parts(run, "time.source_step", plan.interval, *run.time.source_step, common)
                : parts(plan.interval.seconds(), longest_automatic_source_step.seconds());
        plan.steps_per_source_step = parts(plan.source_step_seconds(), stable);
    }
    plan.total_steps =
        (run.time.end - run.time.start).milliseconds / plan.interval.milliseconds * plan.steps_per_interval();
    return plan;
}

TimePlan continue_time_plan(const Case& run, const TimePlan& before, double longest_step) {
    require_countable_records(run);
    TimePlan plan = before;
    const std::string fixed =
        fmt::format("the restarted run's steps of {:.6g} s, source terms every {:.6g} s", plan.step_seconds(),
                    plan.source_step_seconds());
    base::require(plan.step_seconds() <= longest_step, run.file, "time.step",
                  fmt::format("{:.6g} s in the restart file", plan.step_seconds()),
                  fmt::format("at most {:.4g} s, the longest stable step of this case", longest_step));
    const auto require_same = [&](const char* key, const std::optional<base::Duration>& given,
                                  std::int64_t parts) {
        base::require(!given || Wide{given->milliseconds} * parts == plan.interval.milliseconds, run.file,
                      key, given ? base::format_duration(*given) : "", fixed);
    };
    require_same("time.step", run.time.step, plan.steps_per_interval());
    require_same("time.source_step", run.time.source_step, plan.source_steps);
    // On whole source steps only: between two of them the sea is propagated but not yet forced.
    for (const Interval& entry : intervals(run))
        base::require(Wide{entry.length.milliseconds} * plan.source_steps % plan.interval.milliseconds == 0,
                      run.file, entry.key, base::format_duration(entry.length),
                      fmt::format("a whole number of the restarted run's source steps of {:.6g} s",
                                  plan.source_step_seconds()));
    plan.total_steps = static_cast<std::int64_t>(Wide{(run.time.end - run.time.start).milliseconds} *
                                                 plan.steps_per_interval() / plan.interval.milliseconds);
    return plan;
}

}  // namespace groundswell::sea
