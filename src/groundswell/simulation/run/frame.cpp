#include "groundswell/simulation/run/frame.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/exec/subnormals.hpp"
#include "groundswell/netcdf/library_call.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/failure.hpp"

namespace groundswell::simulation {

namespace {

// This process's number as a launcher gives it before MPI runs; null without a launcher.
const char* launched_as() {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"})
        if (const char* rank = std::getenv(name)) return rank;
    return nullptr;
}

}  // namespace

// Says once what is wrong with the command line. A launcher ends all processes as soon as one exits with an
// error, so under one they meet first: else the message could be lost.
int refuse_usage(const std::string& message) {
    if (launched_as() == nullptr) {
        base::write_error(message);
        return static_cast<int>(base::ExitCode::refused);
    }
    const parallel::Environment environment;
    return parallel::run_to_exit_code(environment.comm(), [&]() -> int {
        return parallel::agree(environment.comm(), [&]() -> int { throw base::Refusal(message); });
    });
}

int parse_command_line(CommandLine& program, int argc, char** argv) {
    for (int i = 1; i < argc; ++i)
        if (*argv[i] == '\0')
            return refuse_usage(fmt::format(
                "{}: expected a value after it; this one is empty, like a variable that was not set",
                i > 1 ? argv[i - 1] : "command line"));
    const Reading reading = program.read(argc, argv);
    if (reading.outcome == Reading::Outcome::wrong)
        return refuse_usage(fmt::format("{}: expected usage as in --help", reading.text));
    if (reading.outcome == Reading::Outcome::question) {
        const char* const rank = launched_as();
        if (rank == nullptr || std::string_view(rank) == "0") std::cout << reading.text << std::flush;
        return 0;
    }
    // From here on, since what is ignored would be so in a program that this one calls: what would end it
    // without a word is an error of the call instead: a file beyond the limit that the system sets, and a
    // reader of ours that has seen enough (groundswell run … | head).
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    return -1;
}

int run_framed(const std::function<int()>& body) {
    exec::flush_subnormals();
    base::set_message_level(base::MessageLevel::info);
    int code = 0;
    try {
        code = body();
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

}  // namespace groundswell::simulation
