#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/base/nearest_word.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/exec/subnormals.hpp"
#include "groundswell/netcdf/library_call.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/failure.hpp"

namespace groundswell::cli {
namespace {

// This process's number as a launcher gives it before MPI runs; null without a launcher.
const char* launched_as() {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"})
        if (const char* rank = std::getenv(name)) return rank;
    return nullptr;
}

int exit_with(base::ExitCode code) {
    return static_cast<int>(code);
}

// Says once what is wrong with the command line. A launcher ends all processes as soon as one exits with an
// error, so under one they meet first: else the message could be lost.
int refuse_usage(const std::string& message) {
    if (launched_as() == nullptr) {
        base::write_error(message);
        return exit_with(base::ExitCode::refused);
    }
    const parallel::Environment environment;
    return parallel::run_to_exit_code(environment.comm(), [&]() -> int {
        return parallel::agree(environment.comm(), [&]() -> int { throw base::Refusal(message); });
    });
}

// A subcommand that the program does not know may be a program groundswell-NAME beside it (an installation
// that is not on PATH, or one of several) or on PATH, as with git. Does not return if there is one.
void run_external(const std::string& name, char** arguments) {
    std::error_code unknown;
    const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
    const char* path = std::getenv("PATH");
    std::stringstream folders((unknown ? "" : here.string() + ":") + (path != nullptr ? path : ""));
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::string program = fmt::format("{}/groundswell-{}", folder.empty() ? "." : folder, name);
        std::error_code error;
        if (::access(program.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(program, error))
            ::execv(program.c_str(), arguments);
    }
}

struct Entry {
    std::string name;
    Action action;
};

int run_program(int argc, char** argv) {
    CLI::App program{
        "Waves of the sea on unstructured meshes, from bathymetry to a map.\n"
        "Example: mpirun -n 2 groundswell run cases/yagi/case.toml\n"};
    program.name("groundswell");
    program.set_version_flag("--version", std::string("groundswell ") + GROUNDSWELL_VERSION);
    program.require_subcommand(1);
    program.footer(
        "Programs named groundswell-NAME on PATH are subcommands too; with the Python tools installed:\n"
        "  mesh make|info   a Voronoi mesh from bathymetry; its quality\n"
        "  plot             map, panels, animation, series, spectrum, mesh, halo, volume");
    std::vector<Entry> entries;
    entries.push_back({"run", add_run(program)});
    entries.push_back({"compare", add_compare(program)});
    entries.push_back({"verify", add_verify(program)});
    entries.push_back({"doctor", add_doctor(program)});
    entries.push_back({"proxy", add_proxy(program)});
    entries.push_back({"halo", add_halo(program)});
    entries.push_back({"partition", add_partition(program)});
    entries.push_back({"volume", add_volume(program)});

    if (argc > 1 && argv[1][0] != '-') {
        const std::string name = argv[1];
        std::vector<std::string> known;
        bool is_known = false;
        for (const Entry& entry : entries) {
            known.push_back(entry.name);
            is_known = is_known || entry.name == name;
        }
        if (!is_known) {
            run_external(name, argv + 1);
            for (const char* python : {"mesh", "plot"}) {
                if (name == python)
                    return refuse_usage(fmt::format(
                        "{}: expected the program groundswell-{} on PATH: it comes with the Python tools",
                        name, name));
                known.emplace_back(python);
            }
            const std::string nearest = base::nearest_word(name, known);
            return refuse_usage(
                fmt::format("{}: expected a subcommand (groundswell --help lists them){}", name,
                            nearest.empty() ? std::string() : fmt::format("; the nearest is '{}'", nearest)));
        }
    }
    for (int i = 2; i < argc; ++i)
        if (*argv[i] == '\0')
            return refuse_usage(fmt::format(
                "{}: expected a word behind it; this one is empty, as a variable is that was not set",
                argv[i - 1]));
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const bool is_question = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
        if (!is_question) return refuse_usage(fmt::format("{}: expected usage as in --help", error.what()));
        const char* const rank = launched_as();
        return rank == nullptr || std::string_view(rank) == "0" ? program.exit(error) : 0;
    }
    // What would end the program without a word is an error of the call instead: a file beyond the limit that
    // the system sets, and a reader of ours that has seen enough (groundswell run … | head).
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    for (const Entry& entry : entries)
        if (program.got_subcommand(entry.name)) return entry.action();
    return exit_with(base::ExitCode::defect);
}

}  // namespace
}  // namespace groundswell::cli

int main(int argc, char** argv) {
    using namespace groundswell;
    exec::flush_subnormals();
    base::set_message_level(base::MessageLevel::info);
    int code = 0;
    // What a command throws without MPI; with MPI, parallel::run_to_exit_code has spoken already.
    try {
        code = cli::run_program(argc, argv);
    } catch (const base::Refusal& error) {
        base::write_error(error.what());
        code = static_cast<int>(base::ExitCode::refused);
    } catch (const base::RunFailure& error) {
        base::write_error(error.what());
        code = static_cast<int>(base::ExitCode::failed);
    } catch (const std::exception& error) {
        base::write_error(fmt::format("internal error: {}", error.what()));
        code = static_cast<int>(base::ExitCode::defect);
    }
    if (!netcdf::library_is_lost()) return code;
    // A library that a damaged file has cost us must not tidy up: it may never come back.
    std::cout << std::flush;
    std::fflush(nullptr);
    std::_Exit(code);
}
