#include "groundswell/lab/simulation.h"

#include <fmt/format.h>

#include <cfenv>
#include <sstream>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/c/guard.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/lab/described.hpp"
#include "groundswell/lab/given.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/simulation/run/begin.hpp"
#include "groundswell/simulation/run/step_loop.hpp"

using namespace groundswell;

namespace {

/// Numbers that are flushed as the program's are, and not those of the caller.
class OwnArithmetic {
public:
    OwnArithmetic() {
        std::fegetenv(&before_);
        exec::flush_subnormals();
    }
    ~OwnArithmetic() { std::fesetenv(&before_); }
    OwnArithmetic& operator=(OwnArithmetic&&) = delete;  // neither copied nor moved

private:
    std::fenv_t before_{};
};

std::vector<std::string> lines_of(const char* text) {
    std::vector<std::string> lines;
    std::istringstream all(text != nullptr ? text : "");
    for (std::string line; std::getline(all, line);)
        if (!line.empty()) lines.push_back(line);
    return lines;
}

std::string text_of(const char* text) {
    return text != nullptr ? text : "";
}

}  // namespace

struct gs_simulation {
    simulation::ReadCase read;
    std::unique_ptr<simulation::Model> model;
    simulation::RestartPoint begun;
    std::unique_ptr<simulation::OutputStreams> outputs;
    std::unique_ptr<simulation::Steps> steps;
    std::vector<std::unique_ptr<simulation::Stream>> streams;
    std::vector<lab::Described> variables;
    std::string restart;  // the file that was written last
    bool failed = false;

    gs_simulation(MPI_Comm comm, const simulation::RunOptions& options, const gs_simulation_hooks& hooks);
    void take_record(int stream);
    const simulation::Schedule& schedule() const { return begun.schedule; }
    bool is_between_cycles() const { return !schedule().ends_cycle(steps->done()); }
};

gs_simulation::gs_simulation(MPI_Comm comm, const simulation::RunOptions& options,
                             const gs_simulation_hooks& hooks) {
    read = parallel::agree(comm, [&] {
        return simulation::read_case(options.case_file, {options.set, options.output_folder}, cli::models());
    });
    const simulation::Case& run = *read.run;
    parallel::agree(comm, [&] {
        lab::give_forcing(*read.run, text_of(hooks.forced), hooks);
        lab::give_friction(*read.run, hooks);
        base::require(run.output.mode != "servers", run.file, "output.mode", run.output.mode,
                      "a mode in which the ranks that compute write: thread, direct, serial or auto");
    });
    exec::set_threads(run.threads);
    model = read.kind->make(comm, run);
    const simulation::Beginning beginning = simulation::begin(read, options, *model);
    begun = beginning.point;
    outputs =
        std::make_unique<simulation::OutputStreams>(run, *model, begun.schedule, beginning.outputs, nullptr);
    outputs->open();
    steps = std::make_unique<simulation::Steps>(*model, begun.schedule, begun.step, *outputs);
    if (hooks.before_cycle != nullptr)
        steps->before_cycle = [this, hooks] {
            lab::call_back(hooks.before_cycle, hooks.context, schedule().seconds_at(steps->done()),
                           schedule().cycle_seconds());
        };
}

void gs_simulation::take_record(int stream) {
    parallel::agree(model->comm(), [&] {
        if (schedule().own_step > 0.0)
            throw base::Refusal(
                "record: expected a model whose outputs fall on its steps; read the files of this one");
        if (is_between_cycles())
            throw base::Refusal("record: expected the end of a cycle: see steps_per_cycle");
    });
    variables.clear();
    if (streams.empty()) streams = model->streams();
    if (stream < 0 || stream >= static_cast<int>(streams.size())) return;
    variables = lab::describe(streams[stream]->schema(), streams[stream]->record());
}

int gs_simulation_create(MPI_Comm comm, const char* case_file, const char* settings,
                         const char* output_folder, const char* restart, int overwrite,
                         const gs_simulation_hooks* hooks, gs_simulation** simulation) {
    return c::guarded(__func__, [&] {
        const OwnArithmetic arithmetic;
        base::set_message_level(base::MessageLevel::warning);
        simulation::RunOptions options;
        options.case_file = text_of(case_file);
        options.set = lines_of(settings);
        options.output_folder = text_of(output_folder);
        options.restart = text_of(restart);
        options.overwrite = overwrite != 0;
        c::need(simulation, "simulation") =
            new gs_simulation(comm, options, hooks != nullptr ? *hooks : gs_simulation_hooks{});
    });
}

int gs_simulation_now(const gs_simulation* simulation, gs_simulation_moment* moment) {
    return c::guarded(__func__, [&] {
        const gs_simulation& now = c::need(simulation, "simulation");
        const simulation::Schedule& schedule = now.schedule();
        const auto cells = now.model->cells();
        c::need(moment, "moment") = {now.steps->done(),
                                     schedule.total_steps,
                                     schedule.steps_per_cycle,
                                     schedule.seconds_at(now.steps->done()),
                                     schedule.seconds_at(schedule.total_steps),
                                     schedule.step_seconds(),
                                     cells.owned,
                                     cells.global,
                                     now.steps->is_over() ? 1 : 0};
    });
}

int gs_simulation_advance(gs_simulation* simulation, int64_t steps) {
    return c::guarded(__func__, [&] {
        gs_simulation& now = c::need(simulation, "simulation");
        const OwnArithmetic arithmetic;
        if (now.failed) c::reject("a simulation that has failed");
        try {
            for (std::int64_t i = 0; i < steps && !now.steps->is_over(); ++i) now.steps->advance();
        } catch (const parallel::Agreed&) {
            now.failed = true;
            now.outputs->abandon();  // what was handed over before is still written
            throw;
        }
    });
}

int gs_simulation_state(gs_simulation* simulation, int* count) {
    return c::guarded(__func__, [&] {
        gs_simulation& now = c::need(simulation, "simulation");
        now.variables = lab::describe(now.model->state());
        c::need(count, "count") = static_cast<int>(now.variables.size());
    });
}

int gs_simulation_surroundings(gs_simulation* simulation, int* count) {
    return c::guarded(__func__, [&] {
        gs_simulation& now = c::need(simulation, "simulation");
        now.variables = lab::describe(now.model->surroundings());
        c::need(count, "count") = static_cast<int>(now.variables.size());
    });
}

int gs_simulation_record(gs_simulation* simulation, int stream, int* count) {
    return c::guarded(__func__, [&] {
        gs_simulation& now = c::need(simulation, "simulation");
        const OwnArithmetic arithmetic;
        now.take_record(stream);
        c::need(count, "count") = static_cast<int>(now.variables.size());
    });
}

int gs_simulation_variable(const gs_simulation* simulation, int number, gs_variable* variable) {
    return c::guarded(__func__, [&] {
        const gs_simulation& now = c::need(simulation, "simulation");
        if (number < 0 || number >= static_cast<int>(now.variables.size()))
            c::reject(fmt::format("number = {}", number));
        c::need(variable, "variable") = now.variables[number].view();
    });
}

int gs_simulation_write_restart(gs_simulation* simulation, const char** file) {
    return c::guarded(__func__, [&] {
        gs_simulation& now = c::need(simulation, "simulation");
        parallel::agree(now.model->comm(), [&] {
            if (now.is_between_cycles())
                throw base::Refusal("restart: expected the end of a cycle: see steps_per_cycle");
        });
        now.outputs->write_restart_now(now.steps->done());
        now.restart = simulation::restart_path(now.read.run->output.folder, now.schedule(),
                                               now.schedule().instant_at(now.steps->done()));
        c::need(file, "file") = now.restart.c_str();
    });
}

int gs_simulation_finish(gs_simulation** simulation) {
    if (simulation == nullptr || *simulation == nullptr) return 0;
    const int status = c::guarded(__func__, [&] {
        if (!(*simulation)->failed) (*simulation)->outputs->close();
    });
    c::destroy(simulation);
    return status;
}
