#include "groundswell/parallel/environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/base/termination.hpp"
#include "groundswell/parallel/agree.hpp"

namespace groundswell::parallel {

std::string_view name(ThreadLevel level) {
    return level == ThreadLevel::multiple ? "MPI_THREAD_MULTIPLE" : "MPI_THREAD_FUNNELED";
}

namespace {

/// Whether a test pretends that the library gives no support for threads that call it.
bool is_pretended_funneled() {
    const char* const text = std::getenv("GROUNDSWELL_TEST_MPI");
    return text != nullptr && std::string_view(text) == "funneled";
}

}  // namespace

void Environment::refuse_level(int given, ThreadLevel wanted) {
    const Library mpi = library();
    const std::string message = base::describe(fmt::format("{} {}", mpi.name, mpi.version), "thread level",
                                               given == MPI_THREAD_SERIALIZED ? "MPI_THREAD_SERIALIZED"
                                               : given == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED"
                                                                              : "MPI_THREAD_SINGLE",
                                               fmt::format("{}, which the case needs", name(wanted)));
    if (!owns_mpi_) throw base::Refusal(message);
    // Without MPI the ranks can no longer agree on who speaks: it is said before MPI ends.
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) base::write_error(message);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    throw AgreedError<base::Refusal>(message, 0, false);
}

Environment::Environment(ThreadLevel wanted, std::optional<ThreadLevel> least) {
    const auto code = [](ThreadLevel level) {
        return level == ThreadLevel::multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
    };
    int initialised = 0;
    MPI_Initialized(&initialised);
    int given = MPI_THREAD_SINGLE;
    if (initialised) {
        check(MPI_Query_thread(&given), "tell its thread level");
    } else {
        const base::TerminationWaits waits;  // SIGTERM is for this thread, not for those of MPI
        check(MPI_Init_thread(nullptr, nullptr,
                              code(is_pretended_funneled() ? ThreadLevel::funneled : wanted), &given),
              "start");
        owns_mpi_ = true;
    }
    // The level is a property of the library and its settings, so every rank takes the same branch.
    if (given < code(least.value_or(wanted))) refuse_level(given, least.value_or(wanted));
    level_ = given < code(wanted) ? ThreadLevel::funneled : wanted;
    world_ = Communicator::duplicate(MPI_COMM_WORLD);
    // Errors outside any communicator of ours (files, requests) are returned and checked too.
    if (owns_mpi_) check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "have errors returned");
}

Environment::~Environment() {
    world_ = Communicator();
    if (owns_mpi_) MPI_Finalize();
}

Library library() {
    char buffer[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(buffer, &length);
    const std::string text(buffer, static_cast<std::size_t>(length));

    Library found;
    for (const char* known : {"Open MPI", "MPICH", "Intel(R) MPI", "MVAPICH2", "CRAY MPICH"})
        if (text.find(known) != std::string::npos) found.name = known;
    if (found.name.empty()) found.name = text.substr(0, text.find_first_of(",\n"));
    // The first word that looks like a number with a dot, for example "4.1.4" in "Open MPI v4.1.4, ...".
    for (std::size_t i = 0; i < text.size() && found.version.empty(); ++i) {
        if (!std::isdigit(static_cast<unsigned char>(text[i]))) continue;
        const std::size_t end = std::min(text.find_first_not_of("0123456789.abrc", i), text.size());
        const std::string word = text.substr(i, end - i);
        if (word.find('.') != std::string::npos) found.version = word;
        i = end;
    }
    int major = 0;
    int minor = 0;
    MPI_Get_version(&major, &minor);
    found.standard = fmt::format("{}.{}", major, minor);
    return found;
}

}  // namespace groundswell::parallel
