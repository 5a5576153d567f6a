#include "groundswell/parallel/failure.hpp"

#include <cstdio>
#include <new>

#include "groundswell/base/log.hpp"
#include "groundswell/parallel/agree.hpp"

namespace groundswell::parallel {

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
