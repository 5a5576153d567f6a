#include "groundswell/simulation/run/run.hpp"

#include <memory>

#include "groundswell/cli/command.hpp"

namespace groundswell::cli {

Action add_run(simulation::Command command) {
    auto options = std::make_shared<simulation::RunOptions>();
    command.footer(
        "Example: mpirun -n 2 groundswell run cases/yagi/case.toml --set time.end=2024-09-04T00:00:00Z\n"
        "Output goes to the folder output/ next to the case file; run.json there has time, speed and "
        "memory.");
    simulation::add_run_options(command, *options);
    return [options] { return simulation::run(*options, models()); };
}

}  // namespace groundswell::cli
