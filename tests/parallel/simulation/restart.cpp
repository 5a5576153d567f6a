// Restart files by themselves: whoever wrote one, whoever reads it gets the same numbers, or a refusal that names
// what is not the same.
#include "groundswell/simulation/streams/restart.hpp"

#include <gtest/gtest.h>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"
#include "support/output_dataset.hpp"
#include "support/toy_model.hpp"

namespace groundswell {
namespace {

using test::on_first_ranks;
using test::ToyCase;
using test::ToyModel;

simulation::Schedule schedule_of(const ToyCase& run, ToyModel& model) {
    return simulation::make_schedule(run, model.step_rules());
}

/// Computes `steps` steps on the first `ranks` and writes the restart of their end.
void write(int ranks, const ToyCase& run, const std::string& path, std::int64_t steps) {
    on_first_ranks(ranks, [&](MPI_Comm comm) {
        ToyModel model(comm, run);
        const simulation::Schedule schedule = schedule_of(run, model);
        model.start(schedule);
        for (std::int64_t step = 0; step < steps; ++step) model.advance(step);
        output::OutputOptions options;
        options.mode = "serial";
        output::Output output(comm, options);
        simulation::write_restart(output, path, run, model.state(), {schedule, steps}, "", {});
        output.finish();
    });
}

TEST(SimulationRestart, IsTheSameForAnyRanksThatWriteAndRead) {
    const dataset::Folder folder;
    const ToyCase run(folder.path(), 20.0);
    const int all = parallel::size_of(MPI_COMM_WORLD);
    for (int writers = 1; writers <= all; ++writers) {
        const std::string path = folder / ("by" + std::to_string(writers) + ".nc");
        write(writers, run, path, 6);
        for (int readers = 1; readers <= all; ++readers) {
            on_first_ranks(readers, [&](MPI_Comm comm) {
                ToyModel wanted(comm, run), found(comm, run);
                const simulation::Schedule schedule = schedule_of(run, wanted);
                wanted.start(schedule);
                for (std::int64_t step = 0; step < 6; ++step) wanted.advance(step);
                found.forget();
                const simulation::RestartPoint point = parallel::agree(
                    comm, [&] { return simulation::read_restart_point(path, run, found.state()); });
                EXPECT_EQ(point.step, 6);
                EXPECT_EQ(point.schedule.steps_per_interval(), schedule.steps_per_interval());
                simulation::read_restart_state(comm, path, found.state());
                EXPECT_EQ(found.value(), wanted.value()) << writers << " wrote, " << readers << " read";
                for (std::size_t i = 0; i < found.layers().size(); ++i) {
                    // What stands between rows is nobody's business.
                    const bool is_padding = i % test::toy_stride >= test::toy_layers;
                    ASSERT_EQ(found.layers()[i], is_padding ? -7.0f : wanted.layers()[i]) << i;
                }
            });
        }
    }
}

/// What is said of a restart file that this state and case cannot take; empty if they can.
std::string refusal(const std::string& path, const ToyCase& run, const simulation::State& state) {
    try {
        simulation::read_restart_point(path, run, state);
        return "";
    } catch (const base::Refusal& refusal) {
        return refusal.what();
    }
}

TEST(SimulationRestart, IsRefusedByTheNameOfWhatIsNotTheSame) {
    const dataset::Folder folder;
    const ToyCase run(folder.path(), 20.0);
    const std::string path = folder / "restart.nc";
    write(1, run, path, 6);
    ToyModel model(MPI_COMM_SELF, run);
    const auto refused_with = [&](const std::function<void(simulation::State&)>& alter) {
        simulation::State state = model.state();
        alter(state);
        return refusal(path, run, state);
    };
    EXPECT_EQ(refused_with([](simulation::State&) {}), "");
    EXPECT_EQ(refused_with([](simulation::State& state) {
                  state.marks[0].value = {"seed", 2};
              }),
              path + ": seed = int64 1: expected the seed of this case");
    EXPECT_EQ(refused_with([](simulation::State& state) {
                  state.marks[0].value = {"sead", 1};
              }),
              path + ": sead = nothing: expected the seed of this case");
    EXPECT_EQ(refused_with([](simulation::State& state) { state.dimensions[1].length = 4; }),
              path + ": layer = 3: expected layers = 3");
    EXPECT_EQ(refused_with([](simulation::State& state) { state.dimensions[1].name = "level"; }),
              path + ": level = nothing: expected layers = 3");
    EXPECT_EQ(refused_with([](simulation::State& state) { state.variables[1].variable.name = "levels"; }),
              path + ": expected a restart file of Groundswell, with the variable levels");
    EXPECT_EQ(refused_with(
                  [](simulation::State& state) { state.variables[1].variable.type = output::Type::float64; }),
              path + ": layers = float: expected double, the state of this build");
    // What is written for people and not read back may be missing.
    EXPECT_EQ(refused_with([](simulation::State& state) {
                  state.variables[1].variable.name = "levels";
                  state.variables[1].is_read = false;
              }),
              "");
}

TEST(SimulationRestart, IsRefusedOutsideThePeriodOfTheCase) {
    const dataset::Folder folder;
    const ToyCase run(folder.path(), 20.0);
    const std::string path = folder / "restart.nc";
    write(1, run, path, 6);
    ToyModel model(MPI_COMM_SELF, run);
    ToyCase other = run;
    other.time.end = base::Instant{} + base::seconds(6);
    EXPECT_EQ(refusal(path, other, model.state()),
              path + ": time = 6.000000s: expected a time before time.end = 6.000000s");
    other = run;
    other.time.start = base::Instant{} + base::seconds(1);
    EXPECT_NE(refusal(path, other, model.state()).find("start = 0.000000s"), std::string::npos);
    // As the state that another run begins with: at its very start alone.
    other.initial_restart = path;
    EXPECT_THROW(simulation::check_initial_restart(other, model.state()), base::Refusal);
    other.time.start = base::Instant{} + base::seconds(6);
    EXPECT_NO_THROW(simulation::check_initial_restart(other, model.state()));
}

TEST(SimulationRestart, IsRefusedWithinACycle) {
    const dataset::Folder folder;
    const ToyCase run(folder.path(), 20.0);
    const std::string path = folder / "restart.nc";
    write(1, run, path, 5);
    ToyModel model(MPI_COMM_SELF, run);
    EXPECT_EQ(refusal(path, run, model.state()),
              path + ": step = 5: expected the end of a cycle, of 2 steps each");
}

}  // namespace
}  // namespace groundswell
