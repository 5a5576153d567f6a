#include "groundswell/simulation/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "groundswell/base/errors.hpp"

namespace groundswell::simulation {

namespace {

// The most steps of a run: their number fits 64 bits, and the limits of a restart file.
constexpr double most_steps = 1e17;

// Products of a number of steps and of microseconds go beyond 64 bits: days at a millisecond's step do.
__extension__ using Wide = __int128;  // g++ and clang have it on every 64-bit machine

// Refuses an output that no file can hold, which is a mistake in a unit.
void require_countable_records(const Case& run) {
    constexpr std::int64_t most = INT32_MAX;
    const std::int64_t length = (run.time.end - run.time.start).microseconds;
    for (const Interval& entry : run.intervals())
        base::require(length / entry.length.microseconds < most, run.file, entry.key,
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
    base::require(whole.microseconds % step.microseconds == 0, run.file, key, base::format_duration(step),
                  fmt::format("a divisor of {}, {}", base::format_duration(whole), what));
    return whole.microseconds / step.microseconds;
}

// Refuses the first interval that a step given in the case does not divide.
void require_multiples(const Case& run, const std::string& key, base::Duration step) {
    const std::string text = base::format_duration(step);
    for (const Interval& entry : run.intervals())
        base::require(
            entry.length.microseconds % step.microseconds == 0, run.file, entry.key,
            fmt::format("{} {}", base::format_duration(entry.length), entry.of),
            fmt::format("a multiple of {} = {}, or another {}: \"auto\" finds one", key, text, key));
}

}  // namespace

double Schedule::seconds_at(std::int64_t step) const {
    if (own_step > 0.0) return static_cast<double>(step) * own_step;
    const std::int64_t per = steps_per_interval();
    return static_cast<double>(step / per) * interval.seconds() +
           static_cast<double>(step % per) * step_seconds();
}

base::Instant Schedule::instant_at(std::int64_t step) const {
    if (own_step > 0.0) return start + base::Duration{std::llround(1e6 * seconds_at(step))};
    const std::int64_t per = steps_per_interval();
    const Wide rest = Wide{step % per} * interval.microseconds;
    return {start.microseconds + step / per * interval.microseconds +
            static_cast<std::int64_t>((rest + per / 2) / per)};
}

std::int64_t Schedule::step_at(base::Instant instant) const {
    const base::Duration after = instant - start;
    if (own_step > 0.0) {
        auto step = static_cast<std::int64_t>(after.seconds() / own_step);
        while (seconds_at(step) < after.seconds()) ++step;
        return step;
    }
    const Wide steps = Wide{after.microseconds} * steps_per_interval();
    return static_cast<std::int64_t>((steps + interval.microseconds - 1) / interval.microseconds);
}

std::int64_t Schedule::records_until(base::Duration every, std::int64_t step) const {
    if (own_step == 0.0)
        return static_cast<std::int64_t>(Wide{step} * interval.microseconds /
                                         (Wide{every.microseconds} * steps_per_interval())) +
               1;
    const auto at = [&](std::int64_t record) {
        return base::Duration{record * every.microseconds}.seconds();
    };
    const std::int64_t all = (end - start).microseconds / every.microseconds + 1;
    auto records = std::min(all, static_cast<std::int64_t>(seconds_at(step) / every.seconds()));
    while (records < all && at(records) < seconds_at(step)) ++records;
    while (records > 0 && at(records - 1) >= seconds_at(step)) --records;
    return records;
}

base::Instant Schedule::last_record_at(std::int64_t step) const {
    const base::Instant now = instant_at(step);
    if (own_step == 0.0) return now;
    base::Duration last{(now - start).microseconds + 1};
    while (last.seconds() >= seconds_at(step)) --last.microseconds;
    return start + last;
}

bool Schedule::is_due(base::Duration every, std::int64_t step) const {
    // step · interval/per is a multiple of every  ⇔  step · interval is a multiple of every · per
    if (own_step == 0.0)
        return Wide{step} * interval.microseconds % (Wide{every.microseconds} * steps_per_interval()) == 0;
    // The last step goes beyond the end, where no records are taken: whoever went on from there would miss them.
    if (step == total_steps) return false;
    const base::Instant now = step == total_steps - 1 ? end : std::min(end, instant_at(step));
    const std::int64_t last = (now - start).microseconds / every.microseconds;
    return last > 0 &&
           std::min(step_at(start + base::Duration{last * every.microseconds}), total_steps - 1) == step;
}

std::string Schedule::text(base::Instant instant) const {
    return has_date ? base::format_instant(instant) : base::format_elapsed(instant);
}

std::string Schedule::file_text(base::Instant instant) const {
    return has_date ? base::format_instant_compact(instant) : base::format_elapsed(instant);
}

namespace {

const std::string common = "the common interval of all outputs and the end";

// The step that the case asks for, in cycles as long as it asks for, or as long as they may be.
void lay_out_given_step(const Case& run, const StepRules& rules, Schedule& schedule) {
    base::require(
        run.time.step->seconds() <= rules.longest_step, run.file, "time.step",
        base::format_duration(*run.time.step),
        fmt::format("at most {:.4g} s, the longest stable step of {}", rules.longest_step, rules.what));
    require_multiples(run, "time.step", *run.time.step);
    const std::int64_t steps = exact_parts(run, "time.step", schedule.interval, *run.time.step, common);
    if (rules.cycle_key.empty()) {
        schedule.cycles = steps;
    } else if (rules.cycle) {
        schedule.cycles =
            exact_parts(run, "time." + rules.cycle_key, schedule.interval, *rules.cycle, common);
        exact_parts(run, "time.step", *rules.cycle, *run.time.step, "the " + rules.cycle_name);
    } else {
        // The fewest cycles that are made of whole steps and short enough.
        schedule.cycles = next_divisor(
            steps, std::min(steps, parts(schedule.interval.seconds(), rules.longest_cycle.seconds())));
    }
    schedule.steps_per_cycle = steps / schedule.cycles;
}

void lay_out_automatic_step(const Case& run, const StepRules& rules, double stable, Schedule& schedule) {
    if (rules.cycle_key.empty()) {
        schedule.cycles = parts(schedule.interval.seconds(), stable);
        return;
    }
    schedule.cycles =
        rules.cycle ? exact_parts(run, "time." + rules.cycle_key, schedule.interval, *rules.cycle, common)
                    : parts(schedule.interval.seconds(), rules.longest_cycle.seconds());
    schedule.steps_per_cycle = parts(schedule.cycle_seconds(), stable);
}

}  // namespace

namespace {

void require_countable_steps(const Case& run, const StepRules& rules, double step) {
    const base::Duration length = run.time.end - run.time.start;
    base::require(length.seconds() / step < most_steps, run.file, "time.end",
                  fmt::format("{} after the start", base::format_duration(length)),
                  fmt::format("at most {:g} steps; the longest stable one of {} is {:.4g} s", most_steps,
                              rules.what, std::min(rules.longest_step, step)));
}

}  // namespace

Schedule make_schedule(const Case& run, const StepRules& rules) {
    require_countable_records(run);
    Schedule schedule;
    schedule.start = run.time.start;
    schedule.end = run.time.end;
    schedule.has_date = run.time.has_date;
    const base::Duration length = run.time.end - run.time.start;
    if (rules.own_step > 0.0) {
        require_countable_steps(run, rules, rules.own_step);
        schedule.own_step = rules.own_step;
        schedule.total_steps = static_cast<std::int64_t>(length.seconds() / rules.own_step);
        while (schedule.seconds_at(schedule.total_steps) <= length.seconds()) ++schedule.total_steps;
        return schedule;
    }
    for (const Interval& entry : run.intervals())
        schedule.interval.microseconds = std::gcd(schedule.interval.microseconds, entry.length.microseconds);

    if (rules.cycle) require_multiples(run, "time." + rules.cycle_key, *rules.cycle);
    const double stable = rules.share * rules.longest_step;
    base::require(stable >= rules.shortest_step, run.file, "time.step",
                  fmt::format("{:.4g} s, the longest stable one of {}", rules.longest_step, rules.what),
                  fmt::format("{} to allow at least {} s", rules.what, rules.shortest_step));
    require_countable_steps(run, rules, stable);
    if (run.time.step)
        lay_out_given_step(run, rules, schedule);
    else
        lay_out_automatic_step(run, rules, stable, schedule);
    schedule.total_steps =
        length.microseconds / schedule.interval.microseconds * schedule.steps_per_interval();
    return schedule;
}

Schedule continue_schedule(const Case& run, const Schedule& before, const StepRules& rules) {
    require_countable_records(run);
    if (rules.own_step > 0.0 || before.own_step > 0.0) {
        base::require(
            before.own_step == rules.own_step, run.file, "time.step",
            fmt::format("{:.17g} s", rules.own_step),
            fmt::format("the restarted run's steps of {:.17g} s: the same mesh, material and solver",
                        before.own_step));
        return make_schedule(run, rules);
    }
    Schedule schedule = before;
    schedule.end = run.time.end;
    const bool has_cycles = !rules.cycle_key.empty();
    const std::string unit = has_cycles ? rules.cycle_name : "step";
    const std::string fixed =
        fmt::format("the restarted run's steps of {:.6g} s", schedule.step_seconds()) +
        (has_cycles ? fmt::format(", {}s of {:.6g} s", rules.cycle_name, schedule.cycle_seconds()) : "");
    base::require(schedule.step_seconds() <= rules.longest_step, run.file, "time.step",
                  fmt::format("{:.6g} s in the restart file", schedule.step_seconds()),
                  fmt::format("at most {:.4g} s, the longest stable step of this case", rules.longest_step));
    const auto require_same = [&](const std::string& key, const std::optional<base::Duration>& given,
                                  std::int64_t parts) {
        base::require(!given || Wide{given->microseconds} * parts == schedule.interval.microseconds, run.file,
                      key, given ? base::format_duration(*given) : "", fixed);
    };
    require_same("time.step", run.time.step, schedule.steps_per_interval());
    require_same("time." + rules.cycle_key, rules.cycle, schedule.cycles);
    // On whole cycles only: within one the state is not whole.
    for (const Interval& entry : run.intervals())
        base::require(Wide{entry.length.microseconds} * schedule.cycles % schedule.interval.microseconds == 0,
                      run.file, entry.key, base::format_duration(entry.length),
                      fmt::format("a whole number of the restarted run's {}s of {:.6g} s", unit,
                                  schedule.cycle_seconds()));
    schedule.total_steps =
        static_cast<std::int64_t>(Wide{(run.time.end - run.time.start).microseconds} *
                                  schedule.steps_per_interval() / schedule.interval.microseconds);
    return schedule;
}

}  // namespace groundswell::simulation
