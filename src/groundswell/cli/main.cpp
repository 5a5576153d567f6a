#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/version.hpp"
#include "groundswell/base/words.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/cli/source_state.hpp"
#include "groundswell/exec/instruction_set.hpp"
#include "groundswell/simulation/run/frame.hpp"

namespace groundswell::cli {
namespace {

// A subcommand that the program does not know may be a program groundswell-NAME beside it (an installation
// that is not on PATH, or one of several) or on PATH, as with git. Does not return if there is one.
void run_external(const std::string& name, char** arguments) {
    std::error_code unknown;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", unknown);
    const std::filesystem::path here = self.parent_path();
    // For tools that ask this program again, which need not be on PATH.
    if (!unknown) ::setenv("GROUNDSWELL_PROGRAM", self.c_str(), 1);
    const char* path = std::getenv("PATH");
    std::stringstream folders((unknown ? "" : here.string() + ":") + (path != nullptr ? path : ""));
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::string program = fmt::format("{}/groundswell-{}", folder.empty() ? "." : folder, name);
        std::error_code error;
        if (::access(program.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(program, error))
            ::execv(program.c_str(), arguments);
    }
}

// Builds are compared by a tool that runs each of them.
bool compares_builds(int argc, char** argv) {
    const auto asks = [](std::string_view word) {
        return word == "--compilers" || word.starts_with("--compilers=");
    };
    return argc > 2 && std::string_view(argv[1]) == "proxy" && std::any_of(argv + 2, argv + argc, asks);
}

// The Python tools are one program, groundswell-tools NAME, found as any other. Returns only if it is not there. What would end it waits
// until it has begun: Python answers SIGINT with a traceback while it starts.
int run_tool(const std::string& asked, char** arguments) {
    sigset_t ending, before;
    sigemptyset(&ending);
    for (const int number : {SIGINT, SIGTERM}) sigaddset(&ending, number);
    sigprocmask(SIG_BLOCK, &ending, &before);
    run_external("tools", arguments);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return simulation::refuse_usage(fmt::format(
        "{}: expected the program groundswell-tools on PATH: it comes with the Python tools", asked));
}

int run_program(int argc, char** argv) {
    // Before anything else, so that no command finds out in the middle of its work.
    try {
        exec::instruction_set();
    } catch (const base::Refusal& refusal) {
        return simulation::refuse_usage(refusal.what());
    }
    simulation::CommandLine program{
        "Ocean waves on unstructured meshes, from bathymetry to a map, and elastic waves of earthquakes on "
        "tetrahedra.\nExample: mpirun -n 2 groundswell run cases/yagi/case.toml\n"};
    program.name("groundswell");
    program.version("groundswell " + base::version());
    program.require_command();
    std::string tools = "Python tools:\n";
    std::vector<std::pair<std::string, Action>> actions;
    for (const CommandRow& row : commands()) {
        if (row.add != nullptr)
            actions.emplace_back(row.name, row.add(program.add_command(row.name, row.meaning)));
        else
            tools += fmt::format("  {:<27} {}\n", row.name, row.meaning);
    }
    program.footer(tools + "Programs named groundswell-NAME on PATH are subcommands too.");

    if (argc > 1 && argv[1][0] != '-') {
        const std::string name = argv[1];
        std::vector<std::string> known;
        for (const CommandRow& row : commands()) known.emplace_back(row.name);
        const auto found = std::ranges::find(known, name);
        if (found == known.end()) {
            run_external(name, argv + 1);
            const std::string nearest = base::nearest_word(name, known);
            return simulation::refuse_usage(
                fmt::format("{}: expected a subcommand (groundswell --help lists them){}", name,
                            nearest.empty() ? std::string() : fmt::format("; the nearest is '{}'", nearest)));
        }
        if (commands()[found - known.begin()].add == nullptr) return run_tool(name, argv);
    }
    if (compares_builds(argc, argv)) {
        std::string builds = "builds";
        argv[1] = builds.data();
        return run_tool("--compilers", argv);
    }
    const int answered = simulation::parse_command_line(program, argc, argv);
    if (answered >= 0) return answered;
    for (const auto& [name, action] : actions)
        if (program.chose(name)) return action();
    return static_cast<int>(base::ExitCode::defect);
}

}  // namespace
}  // namespace groundswell::cli

int main(int argc, char** argv) {
    groundswell::base::set_source_state(GROUNDSWELL_SOURCE_STATE);
    return groundswell::simulation::run_framed([&] { return groundswell::cli::run_program(argc, argv); });
}
