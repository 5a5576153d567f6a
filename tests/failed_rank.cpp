// A rank that fails in the midst of a step, where another waits for its message: all end with its words and its code.
#include <filesystem>
#include <new>

#include "groundswell/base/log.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/simulation/run/step_loop.hpp"
#include "support/toy_model.hpp"

int main(int /*count*/, char** arguments) {
    using namespace groundswell;
    const parallel::Environment mpi;
    return parallel::run_to_exit_code(mpi.comm(), [&] {
        if (mpi.rank() == 0) std::filesystem::remove_all(arguments[1]);  // of an earlier run
        MPI_Barrier(mpi.comm());
        test::ToyCase run(arguments[1], 20.0);
        run.output.maps.push_back({"map.nc", base::seconds(4), {"value"}});
        run.meets = [&](std::int64_t step) {
            if (step < 5) return;
            if (mpi.rank() == 1) throw std::bad_alloc();
            int message = 0;
            MPI_Recv(&message, 1, MPI_INT, 1, 0, mpi.comm(), MPI_STATUS_IGNORE);
        };
        test::ToyModel model(mpi.comm(), run);
        const simulation::Schedule schedule = simulation::make_schedule(run, model.step_rules());
        model.start(schedule);
        const parallel::LaunchCores launch = parallel::find_launch(mpi.comm());
        simulation::OutputStreams outputs(run, model, schedule, {}, nullptr);
        outputs.open();
        const parallel::CoreWatch watch(mpi.comm(), launch);
        simulation::step_to_end(run, model, schedule, 0, outputs, watch, {});
        return 0;
    });
}
