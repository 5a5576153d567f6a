#include "groundswell/simulation/run/frame.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <optional>
#include <string_view>
#include <thread>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/netcdf/library_call.hpp"
#include "groundswell/output/disk/growing_name.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/simulation/run/step_loop.hpp"

namespace groundswell::simulation {

namespace {

// This process's number as a launcher gives it before MPI runs; null without a launcher.
const char* launched_as() {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"})
        if (const char* rank = std::getenv(name)) return rank;
    return nullptr;
}

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// The other ranks are told at the same moment, and may be killed as soon as one has ended.
constexpr Seconds time_for_others{0.2};

/// Launcher of Open MPI that started this process. Told to end, it sends SIGTERM, and SIGKILL some seconds later (mpirun(1), Signal
/// Propagation). Told so again it goes, and its library ends the ranks within a second, as was seen with Open MPI 4.1.
struct Launcher {
    std::optional<Seconds> patience;  // from SIGTERM to SIGKILL; none: another launcher, or none
    pid_t parent = 0;                 // its process, where that is the parent of this one
};

bool is_launcher(pid_t process) {
    std::ifstream file(fmt::format("/proc/{}/comm", process));
    std::string name;
    std::getline(file, name);
    return std::ranges::any_of(
        std::array{"mpirun", "mpiexec", "orterun", "orted", "prterun", "prted"},
        [&](const char* known) { return name.starts_with(known); });  // mpirun.openmpi, too
}

Launcher find_launcher() {
    Launcher found;
    if (std::getenv("OMPI_COMM_WORLD_RANK") == nullptr) return found;
    found.patience =
        Seconds(1.0);  // unless the command line of the launcher, or the environment, says otherwise
    for (const char* name : {"OMPI_MCA_odls_base_sigkill_timeout", "PRTE_MCA_odls_base_sigkill_timeout"})
        if (const char* const text = std::getenv(name)) found.patience = Seconds(std::atof(text));
    if (is_launcher(::getppid())) found.parent = ::getppid();
    return found;
}

[[noreturn]] void end_by(int number, Seconds rest) {
    output::remove_growing_files();
    std::this_thread::sleep_for(rest);
    std::signal(number, SIG_DFL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
    std::raise(number);
    std::abort();
}

/// The next signal of `heeded`; zero once it is `end`.
int wait_for(const sigset_t& heeded, const std::optional<Clock::time_point>& end, siginfo_t& told) {
    while (true) {
        int number = 0;
        if (end) {
            const auto left = std::max(*end - Clock::now(), Clock::duration::zero());
            const auto seconds = std::chrono::floor<std::chrono::seconds>(left);
            const timespec wait{static_cast<std::time_t>(seconds.count()),
                                static_cast<long>(std::chrono::nanoseconds(left - seconds).count())};
            number = ::sigtimedwait(&heeded, &told, &wait);
        } else {
            number = ::sigwaitinfo(&heeded, &told);
        }
        if (number > 0) return number;
        if (errno == EAGAIN) return 0;
    }
}

// In a thread of its own: the one that computes, or writes, may wait for the disk until it is killed.
[[noreturn]] void watch(sigset_t heeded, Launcher launcher) {
    std::optional<Clock::time_point> end;  // of the time in which the run may end by itself
    Seconds rest{};                        // from then on until the process is killed
    while (true) {
        siginfo_t told{};
        const int number = wait_for(heeded, end, told);
        if (number == 0) end_by(SIGTERM, rest);
        if (number == SIGINT) end_by(SIGINT, time_for_others);
        if (launcher.parent != 0 && ::getppid() != launcher.parent) end_by(SIGTERM, time_for_others);
        ask_to_stop();
        if (end || !launcher.patience || !is_launcher(told.si_pid)) continue;
        rest = std::min(*launcher.patience / 2, Seconds(1.0));
        end = Clock::now() + std::chrono::duration_cast<Clock::duration>(*launcher.patience - rest);
    }
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

void heed_termination() {
    sigset_t heeded;
    sigemptyset(&heeded);
    sigaddset(&heeded, SIGTERM);
    // What was started in the background by a shell ignores it.
    struct sigaction before {};
    ::sigaction(SIGINT, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaddset(&heeded, SIGINT);
    pthread_sigmask(SIG_BLOCK, &heeded, nullptr);
    const Launcher launcher = find_launcher();
    if (launcher.parent != 0) ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    std::thread(watch, heeded, launcher).detach();
}

}  // namespace groundswell::simulation
