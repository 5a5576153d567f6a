// The loop of a run and its files, with a model that costs nothing: stopped and continued anywhere on any ranks, the
// files are those of a run that was never interrupted; a failure on one rank ends all of them.
#include "groundswell/simulation/run/step_loop.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "groundswell/base/log.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/simulation/streams/restart.hpp"
#include "support/output_dataset.hpp"
#include "support/toy_model.hpp"

namespace groundswell {
namespace {

using test::on_first_ranks;
using test::ToyCase;
using test::ToyModel;

/// Twenty seconds with a map every four.
ToyCase toy(const std::string& folder) {
    ToyCase run(folder, 20.0);
    run.output.maps.push_back({"map.nc", base::seconds(4), {"value"}});
    return run;
}

struct Ended {
    std::int64_t steps = 0;
    std::map<std::string, simulation::RecordGap> gaps;
};

/// The run of a case, from its start or a restart, to the last file.
Ended run_on(MPI_Comm comm, const ToyCase& run, const std::string& restart = "") {
    base::set_message_level(base::MessageLevel::error);
    ToyModel model(comm, run);
    simulation::RestartPoint point;
    simulation::OutputStart start;
    if (restart.empty()) {
        point.schedule = simulation::make_schedule(run, model.step_rules());
        model.start(point.schedule);
    } else {
        point = simulation::read_restart_point(restart, run, model.state());
        point.schedule = simulation::continue_schedule(run, point.schedule, model.step_rules());
        simulation::read_restart_state(comm, restart, model.state());
        model.resume(point.schedule, point.step);
        start.continue_after = point.step;
    }
    const parallel::LaunchCores launch = parallel::find_launch(comm);
    simulation::OutputStreams outputs(run, model, point.schedule, start, nullptr);
    try {
        outputs.open();
        const parallel::CoreWatch watch(comm, launch);
        const simulation::RunMeasurement measured =
            simulation::step_to_end(run, model, point.schedule, point.step, outputs, watch, {});
        return {measured.last_step, outputs.gaps()};
    } catch (const parallel::Agreed&) {
        outputs.abandon();
        throw;
    }
}

/// Times and values of the map in a folder, one record after the other.
std::vector<double> records(const std::string& folder) {
    const output::Reader file(folder + "/map.nc");
    std::vector<double> all;
    for (std::int64_t record = 0; record < file.records(); ++record) {
        all.push_back(file.read_all<double>("time", record)[0]);
        for (const float value : file.read_all<float>("value", record)) all.push_back(value);
    }
    return all;
}
constexpr std::size_t record_length = 1 + test::toy_cells;

/// Names of the restart files in a folder.
std::set<std::string> restarts(const std::string& folder) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (simulation::is_restart_name(entry.path().filename().string()))
            names.insert(entry.path().filename().string());
    return names;
}

TEST(SimulationStepLoop, ARunThatWasStoppedAndContinuedLeavesTheFilesOfAWholeOne) {
    const dataset::Folder folder;
    const int all = parallel::size_of(MPI_COMM_WORLD);
    EXPECT_EQ(run_on(MPI_COMM_WORLD, toy(folder / "whole")).steps, 20);
    const std::vector<double> whole = records(folder / "whole");
    ASSERT_EQ(whole.size(), 6 * record_length);

    // One rank alone is asked to stop, in the first step of a cycle: all stop at its end.
    ToyCase run = toy(folder / "cut");
    run.meets = [&](std::int64_t step) {
        if (step == 8 && parallel::rank_of(MPI_COMM_WORLD) == all - 1) simulation::ask_to_stop();
    };
    EXPECT_EQ(run_on(MPI_COMM_WORLD, run).steps, 10);
    const std::vector<double> cut = records(folder / "cut");
    EXPECT_EQ(cut, std::vector<double>(whole.begin(), whole.begin() + 3 * record_length));
    EXPECT_EQ(restarts(folder / "cut"), std::set<std::string>{"restart_10.000000s.nc"});
    MPI_Barrier(MPI_COMM_WORLD);

    run.meets = {};
    for (int ranks = all; ranks >= 1; --ranks) {
        on_first_ranks(ranks, [&](MPI_Comm comm) {
            const Ended ended = run_on(comm, run, folder / "cut/restart_10.000000s.nc");
            EXPECT_EQ(ended.steps, 20);
            EXPECT_TRUE(ended.gaps.empty());
            EXPECT_EQ(records(folder / "cut"), whole) << "continued on " << ranks;
        });
    }
}

TEST(SimulationStepLoop, RecordsBehindTheRestartAreWrittenAnew) {
    const dataset::Folder folder;
    ToyCase run = toy(folder / "a");
    run.output.restart_every = base::seconds(8);
    run_on(MPI_COMM_WORLD, run);
    const std::vector<double> whole = records(folder / "a");
    run.time.end = base::Instant{} + base::seconds(12);
    MPI_Barrier(MPI_COMM_WORLD);
    run_on(MPI_COMM_WORLD, run, folder / "a/restart_8.000000s.nc");
    EXPECT_EQ(records(folder / "a"), std::vector<double>(whole.begin(), whole.begin() + 4 * record_length));
}

TEST(SimulationStepLoop, AGapBeforeTheRestartIsFound) {
    const dataset::Folder folder;
    ToyCase run = toy(folder / "a");
    run.output.restart_every = base::seconds(16);
    run_on(MPI_COMM_WORLD, run);
    ToyCase other = toy(folder / "b");
    other.time.end = base::Instant{} + base::seconds(8);
    run_on(MPI_COMM_WORLD, other);
    other.time.end = run.time.end;
    MPI_Barrier(MPI_COMM_WORLD);
    const Ended ended = run_on(MPI_COMM_WORLD, other, folder / "a/restart_16.000000s.nc");
    if (parallel::rank_of(MPI_COMM_WORLD) != 0) return;
    ASSERT_EQ(ended.gaps.size(), 1u);
    const simulation::RecordGap& gap = ended.gaps.at(folder / "b/map.nc");
    EXPECT_EQ(gap.last, base::Instant{} + base::seconds(8));
    EXPECT_EQ(gap.first, base::Instant{} + base::seconds(20));
    EXPECT_EQ(records(folder / "b").size(), 4 * record_length);
}

TEST(SimulationStepLoop, OnlyTheLatestRestartsOfARunAreKept) {
    const dataset::Folder folder;
    for (const int keep : {0, 1, 3}) {
        ToyCase run = toy(folder / std::to_string(keep));
        run.output.restart_every = base::seconds(4);
        run.output.restart_keep = keep;
        run_on(MPI_COMM_WORLD, run);
        EXPECT_EQ(restarts(run.output.folder).size(), keep == 0 ? 5u : static_cast<std::size_t>(keep));
        EXPECT_TRUE(restarts(run.output.folder).contains("restart_20.000000s.nc"));
        EXPECT_EQ(restarts(run.output.folder).contains("restart_12.000000s.nc"), keep != 1);
    }
    // Those of an earlier run, from which this one goes on, are not its own to remove.
    ToyCase run = toy(folder / "0");
    run.output.restart_every = base::seconds(4);
    run.output.restart_keep = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    run_on(MPI_COMM_WORLD, run, folder / "0/restart_8.000000s.nc");
    EXPECT_EQ(
        restarts(run.output.folder),
        (std::set<std::string>{"restart_4.000000s.nc", "restart_8.000000s.nc", "restart_20.000000s.nc"}));
}

/// The exit code of a run in which the last rank throws `error` in a step; the others throw nothing.
template <class Error>
int code_of(const ToyCase& sound, std::int64_t failing_step, const Error& error, const std::string& words) {
    ToyCase run = sound;
    run.meets = [&](std::int64_t step) {
        const int last = parallel::size_of(MPI_COMM_WORLD) - 1;
        if (step == failing_step && parallel::rank_of(MPI_COMM_WORLD) == last) throw error;
    };
    try {
        run_on(MPI_COMM_WORLD, run);
    } catch (const parallel::Agreed& agreed) {
        EXPECT_EQ(agreed.failing_rank(), parallel::size_of(MPI_COMM_WORLD) - 1);
        const parallel::LocalOutcome outcome = parallel::outcome_of_current_exception();
        EXPECT_NE(outcome.message.find(words), std::string::npos) << outcome.message;
        return static_cast<int>(outcome.code);
    }
    return 0;
}

TEST(SimulationStepLoop, AFailureOnOneRankEndsAllWithItsCodeAndKeepsWholeRecords) {
    const dataset::Folder folder;
    // At the end of a cycle, and within one: told at its end.
    for (const std::int64_t step : {9, 8}) {
        const ToyCase run = toy(folder / std::to_string(step));
        EXPECT_EQ(code_of(run, step, base::RunFailure("a value that is not sane"), "is not sane"), 3);
        EXPECT_EQ(records(run.output.folder).size(), 3 * record_length);
        EXPECT_TRUE(restarts(run.output.folder).empty());
    }
    EXPECT_EQ(
        code_of(toy(folder / "refused"), 1, base::Refusal("a file that is none"), "a file that is none"), 2);
    EXPECT_EQ(code_of(toy(folder / "defect"), 1, std::logic_error("a broken promise"), "a broken promise"),
              4);
    EXPECT_EQ(code_of(toy(folder / "memory"), 1, std::bad_alloc(), "not enough memory"), 3);
}

}  // namespace
}  // namespace groundswell
