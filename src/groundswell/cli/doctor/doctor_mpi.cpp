#include "groundswell/cli/doctor/doctor_mpi.hpp"

#include <fmt/format.h>

#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/machine/launcher.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::cli {

namespace {

double time_round(MPI_Comm comm) {
    const int rank = parallel::rank_of(comm), ranks = parallel::size_of(comm);
    const double begin = parallel::now();
    for (int distance = 1; distance < ranks; distance *= 2) {
        double out = 1.0, in = 0.0;
        parallel::check(MPI_Sendrecv(&out, 1, MPI_DOUBLE, (rank + distance) % ranks, 0, &in, 1, MPI_DOUBLE,
                                     (rank - distance + ranks) % ranks, 0, comm, MPI_STATUS_IGNORE),
                        "exchange first messages");
    }
    return parallel::now() - begin;
}

// Whether the ranks of a machine can have memory in common through the library.
bool has_shared_windows(MPI_Comm comm) {
    const parallel::Communicator machine = parallel::machine_communicator(comm);
    MPI_Win window = MPI_WIN_NULL;
    void* base = nullptr;
    MPI_Comm_set_errhandler(machine.get(), MPI_ERRORS_RETURN);
    const bool made =
        MPI_Win_allocate_shared(4096, 1, MPI_INFO_NULL, machine.get(), &base, &window) == MPI_SUCCESS;
    if (made) MPI_Win_free(&window);
    return parallel::min(comm, std::int64_t{made ? 1 : 0}) == 1;
}

}  // namespace

parallel::FirstMessages time_first_messages(MPI_Comm comm) {
    const double first = time_round(comm), again = time_round(comm);
    return {parallel::max(comm, first), parallel::max(comm, again)};
}

nlohmann::json look_at_mpi(MPI_Comm comm, const parallel::Environment& environment,
                           const parallel::FirstMessages& messages) {
    const parallel::Library library = parallel::library();
    const parallel::Launcher launcher = parallel::find_launcher(library);
    const parallel::MpiTransport transport = parallel::mpi_transport();
    const bool windows = has_shared_windows(comm);
    return {{"library", library.name},
            {"version", library.version},
            {"standard", library.standard},
            {"thread_level", std::string(parallel::name(environment.thread_level()))},
            {"launcher", launcher.name()},
            {"batch_job", launcher.batch},
            {"waits_busily", parallel::spins_while_waiting(launcher)},
            {"transport", {{"in_use", transport.in_use}, {"settings", transport.settings}}},
            {"features", {{"shared_windows", windows}, {"large_counts", MPI_VERSION >= 4}}},
            {"first_messages_seconds", messages.first},
            {"later_messages_seconds", messages.again}};
}

std::string describe_mpi(const nlohmann::json& mpi) {
    const auto word = [&](const char* key) { return mpi[key].get<std::string>(); };
    std::string text =
        fmt::format("MPI          {} {} (standard {}), threads {}, files by {}\n", word("library"),
                    word("version"), word("standard"), word("thread_level"), word("io"));
    text += fmt::format("launcher     {}{}{}\n", word("launcher"), word("batch_job").empty() ? "" : ", ",
                        word("batch_job"));
    const auto& transport = mpi["transport"];
    const std::string in_use = transport["in_use"];
    text += fmt::format("messages     {}; a rank that waits {}\n",
                        in_use.empty() ? "the library does not tell" : in_use,
                        mpi["waits_busily"] ? "keeps its core busy" : "gives its core away");
    for (const auto& [name, value] : transport["settings"].items())
        text += fmt::format("             {}={}\n", name, value.get<std::string>());
    const auto& features = mpi["features"];
    text += fmt::format(
        "             first ones {:.1f} ms, the same again {:.3f} ms\n"
        "features     shared windows: {}; counts above 2^31: {}\n",
        1e3 * mpi["first_messages_seconds"].get<double>(), 1e3 * mpi["later_messages_seconds"].get<double>(),
        features["shared_windows"] ? "yes" : "no", features["large_counts"] ? "yes" : "no");
    return text;
}

}  // namespace groundswell::cli
