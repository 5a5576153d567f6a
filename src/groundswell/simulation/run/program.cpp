#include "groundswell/simulation/program.hpp"

#include "groundswell/simulation/run/frame.hpp"
#include "groundswell/simulation/run/run.hpp"

namespace groundswell::simulation {

int run_program(int argc, char** argv, const std::vector<ModelKind>& kinds) {
    return run_framed([&] {
        CommandLine program{kinds.front().description};
        RunOptions options;
        add_run_options(program, options);
        const int code = parse_command_line(program, argc, argv);
        return code >= 0 ? code : run(options, kinds);
    });
}

}  // namespace groundswell::simulation
