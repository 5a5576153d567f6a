#include "groundswell/simulation/schedule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <type_traits>

#include "groundswell/base/errors.hpp"

namespace groundswell::simulation {
namespace {

// A model whose cycles are steps of source terms, as the sea has them.
struct CaseOfCycles : Case {
    std::optional<base::Duration> cycle;
};

StepRules rules(const CaseOfCycles& run, double longest_step) {
    StepRules rules;
    rules.longest_step = longest_step;
    rules.share = 0.9;
    rules.shortest_step = 1e-4;
    rules.cycle_key = "cycle";
    rules.cycle_name = "cycle";
    rules.cycle = run.cycle;
    rules.longest_cycle = base::seconds(300);
    return rules;
}

Schedule make_schedule(const CaseOfCycles& run, double longest_step) {
    return simulation::make_schedule(run, rules(run, longest_step));
}

Schedule continue_schedule(const CaseOfCycles& run, const Schedule& before, double longest_step) {
    return simulation::continue_schedule(run, before, rules(run, longest_step));
}

CaseOfCycles make_case(double hours, std::vector<const char*> every) {
    CaseOfCycles run;
    run.file = "case.toml";
    run.time.start = {0};
    run.time.end = base::Instant{} + base::milliseconds(static_cast<std::int64_t>(hours * 3600e3));
    for (const char* text : every) run.output.maps.push_back({"a.nc", *base::parse_duration(text), {}});
    return run;
}

TEST(Schedule, StepsAreStableAndFallOnEveryOutput) {
    for (double longest : {7.0, 59.9, 61.0, 313.0, 5000.0, std::numeric_limits<double>::infinity()}) {
        const CaseOfCycles run = make_case(30.0, {"1h", "45min", "6h"});
        const Schedule schedule = make_schedule(run, longest);
        EXPECT_LE(schedule.step_seconds(), 0.9 * longest);
        EXPECT_LE(schedule.cycle_seconds(), 300.0);
        EXPECT_NEAR(schedule.seconds_at(schedule.total_steps), 30 * 3600.0, 1e-6);
        for (const MapSection& map : run.output.maps) {
            int due = 0;
            for (std::int64_t step = 0; step <= schedule.total_steps; ++step)
                due += schedule.is_due(map.every, step);
            EXPECT_EQ(due, static_cast<int>(30 * 3600 / map.every.seconds()) + 1);
        }
    }
}

TEST(Schedule, AGivenStepIsTakenOrRefused) {
    CaseOfCycles run = make_case(2.0, {"1h"});
    run.time.step = base::seconds(90);
    const Schedule schedule = make_schedule(run, 100.0);
    EXPECT_DOUBLE_EQ(schedule.step_seconds(), 90.0);
    EXPECT_EQ(schedule.total_steps, 80);
    EXPECT_LE(schedule.cycle_seconds(), 300.0);
    EXPECT_THROW(make_schedule(run, 80.0), base::Refusal);
    run.time.step = base::seconds(91);
    EXPECT_THROW(make_schedule(run, 100.0), base::Refusal);
}

TEST(Schedule, TimesOfUnevenStepsNeverDrift) {
    const CaseOfCycles run = make_case(7.0 * 24.0, {"1h"});
    const Schedule schedule = make_schedule(run, 47.0);
    EXPECT_EQ(schedule.instant_at(schedule.total_steps), run.time.end);
    EXPECT_EQ(schedule.instant_at(0), run.time.start);
}

// In microseconds, these products of steps and intervals go beyond 32 and 64 bits.
TEST(Schedule, LongRunsOfShortStepsTakeTheStepsThatWereAskedFor) {
    constexpr double year = 365.25 * 24.0;
    const struct {
        double hours;
        std::int64_t step;  // ms
        std::vector<const char*> every;
    } runs[] = {
        {100.0 * year, 1000, {}},          {4294967296.0 / 3600.0, 1000, {}}, {60.0 * 24.0, 1, {}},
        {60.0 * 24.0, 1, {"1s", "90min"}}, {200.0 * year, 1, {"1d"}},         {200.0 * year, 1, {}},
    };
    for (const auto& [hours, step, every] : runs) {
        CaseOfCycles run = make_case(hours, every);
        run.time.step = base::milliseconds(step);
        for (const bool sources_too : {false, true}) {
            if (sources_too) run.cycle = run.time.step;
            const Schedule schedule = make_schedule(run, 1000.0);
            const std::int64_t length = run.time.end.microseconds / 1000;  // ms
            EXPECT_EQ(schedule.total_steps, length / step);
            EXPECT_DOUBLE_EQ(schedule.step_seconds(), 1e-3 * static_cast<double>(step));
            EXPECT_GT(schedule.cycle_seconds(), 0.0);
            EXPECT_LE(schedule.cycle_seconds(), 300.0);
            EXPECT_EQ(schedule.instant_at(schedule.total_steps - 1).microseconds, 1000 * (length - step));
            for (const char* text : every) {
                const base::Duration due = *base::parse_duration(text);
                EXPECT_TRUE(schedule.is_due(due, schedule.total_steps)) << text;
                EXPECT_FALSE(schedule.is_due(due, schedule.total_steps - 1)) << text;
                EXPECT_TRUE(schedule.is_due(due, due.microseconds / 1000 / step)) << text;
            }
            EXPECT_FALSE(schedule.is_due(base::Duration{std::int64_t{1} << 40}, schedule.total_steps));
            EXPECT_EQ(continue_schedule(run, schedule, 1000.0).total_steps, schedule.total_steps);
        }
    }
}

// A number of steps without a divisor near the one wanted; not found by trying all up to it.
TEST(Schedule, SourceStepsAreFoundForAPrimeNumberOfSteps) {
    CaseOfCycles run = make_case(0.0, {});
    run.time.end = {99'999'999'977};  // a prime number of microseconds, over a day
    run.time.step = base::Duration{1};
    const Schedule schedule = make_schedule(run, 1.0);
    EXPECT_EQ(schedule.cycles, schedule.total_steps);
    EXPECT_EQ(schedule.steps_per_cycle, 1);
}

// As a model of earthquakes has it: half a millisecond, counted from 0, names of files to a microsecond.
TEST(Schedule, WithoutDatesStepsAreCyclesAndTimesCountFromZero) {
    Case run;
    run.file = "case.toml";
    run.time.has_date = false;
    run.time.end = base::Instant{} + base::seconds(20);
    run.output.maps.push_back({"a.nc", *base::parse_duration("12.5s"), {}});
    StepRules rules;
    rules.longest_step = 5e-4;
    const Schedule schedule = simulation::make_schedule(run, rules);
    EXPECT_EQ(schedule.steps_per_cycle, 1);
    EXPECT_DOUBLE_EQ(schedule.step_seconds(), 5e-4);
    EXPECT_EQ(schedule.total_steps, 40'000);
    EXPECT_TRUE(schedule.is_due(*base::parse_duration("12.5s"), 25'000));
    EXPECT_EQ(schedule.file_text(schedule.instant_at(25'000)), "12.500000s");
    EXPECT_EQ(schedule.file_text(schedule.instant_at(1)), "0.000500s");
}

// Whatever the rules and outputs: cycles of equal steps fill the interval, all is due at the end of a cycle, and no step
// is longer than it may be.
TEST(Schedule, CyclesOfEqualStepsFillTheIntervalForAnyRules) {
    std::mt19937_64 random(1);
    const auto pick = [&](auto... values) {
        const std::common_type_t<decltype(values)...> all[] = {values...};
        return all[random() % std::size(all)];
    };
    for (int trial = 0; trial < 300; ++trial) {
        CaseOfCycles run =
            make_case(pick(1.0, 5.0, 26.0), {pick("1h", "7min", "90s"), pick("1h", "45min", "1.5s")});
        if (random() % 2 == 0) run.output.restart_every = *base::parse_duration(pick("2h", "100s", "11min"));
        const double longest =
            pick(0.013, 0.7, 2.0, 59.9, 61.0, 1e4, std::numeric_limits<double>::infinity());
        StepRules asked = rules(run, longest);
        asked.share = pick(0.3, 0.9, 1.0);
        if (random() % 2 == 0) asked.cycle_key.clear();
        const Schedule schedule = simulation::make_schedule(run, asked);
        const std::int64_t per = schedule.steps_per_interval();
        EXPECT_EQ(schedule.cycles * schedule.steps_per_cycle, per);
        EXPECT_LE(schedule.step_seconds(), asked.share * longest * (1.0 + 1e-9));
        EXPECT_EQ(schedule.total_steps % per, 0);
        EXPECT_EQ(schedule.instant_at(schedule.total_steps), run.time.end);
        if (!asked.cycle_key.empty()) {
            EXPECT_LE(schedule.cycle_seconds(), 300.0);
        } else {
            EXPECT_EQ(schedule.steps_per_cycle, 1);
        }
        for (const Interval& each : run.intervals()) {
            ASSERT_EQ(each.length.microseconds % schedule.interval.microseconds, 0);
            const std::int64_t due = each.length.microseconds / schedule.interval.microseconds * per;
            EXPECT_TRUE(schedule.ends_cycle(due));
            EXPECT_TRUE(schedule.is_due(each.length, due));
            EXPECT_EQ(schedule.is_due(each.length, due - 1), due == 1);
            EXPECT_EQ(schedule.instant_at(due), run.time.start + each.length);
        }
    }
}

// A step that comes from the model alone: outputs fall between steps, and each into one of them, whatever the step.
TEST(Schedule, EveryRecordAndRestartFallsIntoOneStepOfTheModelsOwn) {
    std::mt19937_64 random(2);
    for (int trial = 0; trial < 200; ++trial) {
        Case run;
        run.file = "case.toml";
        run.time.has_date = false;
        run.time.end = base::Instant{1 + static_cast<std::int64_t>(random() % 3'000'000)};
        const base::Duration every{1 + static_cast<std::int64_t>(random() % 40'000)};
        run.output.restart_every = base::Duration{1 + static_cast<std::int64_t>(random() % 400'000)};
        StepRules rules;
        // Among them steps that meet the records.
        rules.own_step = trial % 4 == 0 ? every.seconds() / (1 + trial % 3)
                                        : 1e-3 + 1e-9 * static_cast<double>(random() % 30'000'000);
        const Schedule schedule = simulation::make_schedule(run, rules);
        const double end = (run.time.end - run.time.start).seconds();
        EXPECT_GT(schedule.seconds_at(schedule.total_steps), end);
        EXPECT_LE(schedule.seconds_at(schedule.total_steps - 1), end);
        EXPECT_EQ(schedule.records_until(every, 0), 0);
        EXPECT_EQ(schedule.records_until(every, schedule.total_steps),
                  run.time.end.microseconds / every.microseconds + 1);
        std::int64_t restarts = 0;
        for (std::int64_t step = 1; step <= schedule.total_steps; ++step) {
            for (std::int64_t r = schedule.records_until(every, step - 1);
                 r < schedule.records_until(every, step); ++r) {
                const double time = base::Duration{r * every.microseconds}.seconds();
                ASSERT_LE(schedule.seconds_at(step - 1), time);
                ASSERT_LT(time, schedule.seconds_at(step));
            }
            const base::Instant last = schedule.last_record_at(step);
            ASSERT_LT(last.seconds_since({0}), schedule.seconds_at(step));
            ASSERT_GE(base::Instant{last.microseconds + 1}.seconds_since({0}), schedule.seconds_at(step));
            const bool restarts_here = schedule.is_due(*run.output.restart_every, step);
            restarts += restarts_here;
            // Whoever goes on to a later end misses no record.
            ASSERT_TRUE(!restarts_here || schedule.seconds_at(step) <= end);
        }
        const std::int64_t wanted = run.time.end.microseconds / run.output.restart_every->microseconds;
        EXPECT_LE(restarts, wanted);  // several may fall into one step
        if (run.output.restart_every->seconds() > rules.own_step) {
            EXPECT_GE(restarts, wanted - 1);  // the last two may fall into the last step but one
        }
    }
}

TEST(Schedule, ARestartWithAnotherStepOfTheModelsOwnIsRefused) {
    Case run;
    run.file = "case.toml";
    run.time.has_date = false;
    run.time.end = base::Instant{} + base::seconds(2);
    StepRules rules;
    rules.own_step = 0.01;
    const Schedule before = simulation::make_schedule(run, rules);
    run.time.end = base::Instant{} + base::seconds(3);
    EXPECT_EQ(simulation::continue_schedule(run, before, rules).total_steps, 301);
    rules.own_step = 0.010000001;
    EXPECT_THROW(simulation::continue_schedule(run, before, rules), base::Refusal);
}

TEST(Schedule, TimesDoNotDriftInAHundredYears) {
    CaseOfCycles run = make_case(100.0 * 365.25 * 24.0, {"1h"});
    const Schedule schedule = make_schedule(run, 7.3);  // no whole number of microseconds
    ASSERT_NE(schedule.interval.microseconds % schedule.steps_per_interval(), 0);
    for (const double share : {0.001, 0.3, 0.77, 1.0}) {
        const std::int64_t hours = std::llround(share * 100.0 * 365.25 * 24.0);
        const std::int64_t step = hours * schedule.steps_per_interval();
        EXPECT_EQ(schedule.instant_at(step), run.time.start + base::seconds(3600 * hours));
        EXPECT_EQ(schedule.seconds_at(step), 3600.0 * static_cast<double>(hours));
        const base::Duration last = schedule.instant_at(step) - schedule.instant_at(step - 1);
        EXPECT_NEAR(last.seconds(), schedule.step_seconds(), 1e-6);
    }
}

TEST(Schedule, MoreStepsThanCanBeCountedAreRefused) {
    CaseOfCycles run = make_case(0.0, {});
    run.time.end = {1'000'000'000'000'000'000};  // µs, the longest duration of a case file
    StepRules asked = rules(run, 1e-12);
    asked.shortest_step = 0.0;
    EXPECT_THROW(simulation::make_schedule(run, asked), base::Refusal);
    asked.cycle_key.clear();
    EXPECT_THROW(simulation::make_schedule(run, asked), base::Refusal);
    asked.longest_step = 1e-4;
    EXPECT_GT(simulation::make_schedule(run, asked).total_steps, 1'000'000'000'000'000);
}

TEST(Schedule, AStepThatNothingSensibleAsksForIsRefused) {
    const CaseOfCycles run = make_case(1.0, {"1h"});
    for (const double longest : {1e-5, 1e-300, 0.0, -1.0, std::numeric_limits<double>::quiet_NaN()})
        EXPECT_THROW(make_schedule(run, longest), base::Refusal) << longest;
    EXPECT_THROW(make_schedule(make_case(200.0 * 365.0 * 24.0, {"1ms"}), 100.0), base::Refusal);
}

TEST(Schedule, ARestartKeepsTheStepsUnderAnotherEnd) {
    const Schedule before = make_schedule(make_case(30.0, {"1h"}), 47.0);
    const Schedule after = continue_schedule(make_case(48.0, {"3h"}), before, 47.0);
    EXPECT_EQ(after.step_seconds(), before.step_seconds());
    EXPECT_NEAR(after.seconds_at(after.total_steps), 48 * 3600.0, 1e-6);
    EXPECT_THROW(continue_schedule(make_case(48.0, {"7s"}), before, 47.0), base::Refusal);
}

TEST(Schedule, ARestartTakesNoOtherOrUnstableSteps) {
    CaseOfCycles run = make_case(2.0, {"1h"});
    run.time.step = base::seconds(60);
    run.cycle = base::seconds(180);
    const Schedule before = make_schedule(run, 100.0);
    EXPECT_EQ(continue_schedule(run, before, 100.0).total_steps, 120);
    EXPECT_THROW(continue_schedule(run, before, 59.0), base::Refusal);
    run.time.step = base::seconds(30);
    EXPECT_THROW(continue_schedule(run, before, 100.0), base::Refusal);
    run.time.step.reset();
    run.cycle = base::seconds(60);
    EXPECT_THROW(continue_schedule(run, before, 100.0), base::Refusal);
    run.cycle.reset();
    // Whole propagation steps, but not whole source steps.
    run.output.maps.front().every = base::seconds(60);
    EXPECT_THROW(continue_schedule(run, before, 100.0), base::Refusal);
}

}  // namespace
}  // namespace groundswell::simulation
