#include "groundswell/parallel/agree.hpp"

#include <cstdio>
#include <new>

#include "groundswell/base/log.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::parallel {

LocalOutcome outcome_of_current_exception() {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return {base::ExitCode::failed, "not enough memory on this rank"};
    } catch (const std::exception& error) {
        return {exit_code(error), error.what()};
    } catch (...) {
        return {base::ExitCode::defect, "an exception of unknown type"};
    }
}

void agree_on(MPI_Comm comm, const LocalOutcome& mine) {
    const int rank = rank_of(comm), size = size_of(comm);
    const bool failed = mine.code != base::ExitCode::done;
    int failing = failed ? rank : size;
    check(MPI_Allreduce(MPI_IN_PLACE, &failing, 1, MPI_INT, MPI_MIN, comm), "agree on success");
    if (failing == size) return;

    int head[2] = {static_cast<int>(mine.code), static_cast<int>(mine.message.size())};
    check(MPI_Bcast(head, 2, MPI_INT, failing, comm), "share an error");
    std::string message = mine.message;
    message.resize(head[1]);
    check(MPI_Bcast(message.data(), head[1], MPI_CHAR, failing, comm), "share an error");

    const bool speaks = rank == failing;
    switch (static_cast<base::ExitCode>(head[0])) {
        case base::ExitCode::refused:
            throw AgreedError<base::Refusal>(message, failing, speaks);
        case base::ExitCode::failed:
            throw AgreedError<base::RunFailure>(message, failing, speaks);
        default:
            throw AgreedError<base::Defect>(message, failing, speaks);
    }
}

void LocalOutcome::raise() const {
    if (code == base::ExitCode::refused) throw base::Refusal(message);
    if (code == base::ExitCode::failed) throw base::RunFailure(message);
    throw base::Defect(message);
}

base::ExitCode exit_code(const std::exception& error) {
    if (dynamic_cast<const base::Refusal*>(&error)) return base::ExitCode::refused;
    if (dynamic_cast<const base::RunFailure*>(&error)) return base::ExitCode::failed;
    if (dynamic_cast<const std::bad_alloc*>(&error)) return base::ExitCode::failed;
    return base::ExitCode::defect;
}

int run_to_exit_code(MPI_Comm comm, const std::function<int()>& body) {
    LocalOutcome mine;
    try {
        return body();
    } catch (const Agreed& agreed) {
        mine = outcome_of_current_exception();
        if (agreed.speaks()) base::write_error(mine.message);
        // The launcher may end the other ranks as soon as one exits with an error: not before the message is
        // out.
        std::fflush(stderr);
        MPI_Barrier(comm);
        return static_cast<int>(mine.code);
    } catch (...) {
        mine = outcome_of_current_exception();
    }
    int size = 1;
    MPI_Comm_size(comm, &size);
    base::write_error(mine.message);
    if (size > 1) {
        std::fflush(stdout);
        std::fflush(stderr);
        MPI_Abort(MPI_COMM_WORLD, static_cast<int>(mine.code));
    }
    return static_cast<int>(mine.code);
}

}  // namespace groundswell::parallel
