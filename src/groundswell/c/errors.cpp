#include "groundswell/c/errors.h"

#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/c/guard.hpp"
#include "groundswell/parallel/agree.hpp"

static_assert(GS_DONE == static_cast<int>(groundswell::base::ExitCode::done));
static_assert(GS_REFUSED == static_cast<int>(groundswell::base::ExitCode::refused));
static_assert(GS_FAILED == static_cast<int>(groundswell::base::ExitCode::failed));
static_assert(GS_DEFECT == static_cast<int>(groundswell::base::ExitCode::defect));

namespace groundswell::c {

namespace {

struct LastError {
    std::string message;
    bool speaks = true;
};
thread_local LastError last_error;

}  // namespace

int note_current_exception() noexcept {
    try {
        const parallel::LocalOutcome outcome = parallel::outcome_of_current_exception();
        last_error = {outcome.message, true};
        try {
            throw;
        } catch (const parallel::Agreed& agreed) {
            last_error.speaks = agreed.speaks();
        } catch (...) {
        }
        return static_cast<int>(outcome.code);
    } catch (...) {
        return GS_FAILED;  // no memory left for the message
    }
}

void note_message(std::string_view message) {
    last_error = {std::string(message), true};
}

void reject(std::string_view what) {
    throw base::Defect(fmt::format("{}: {}", function, what));
}

}  // namespace groundswell::c

const char* gs_error_message(void) {
    return groundswell::c::last_error.message.c_str();
}

int gs_error_speaks(void) {
    return groundswell::c::last_error.speaks ? 1 : 0;
}

void gs_check(int status) {
    if (status == GS_DONE) return;
    int running = 0;
    int ended = 0;
    MPI_Initialized(&running);
    MPI_Finalized(&ended);
    const bool parallel_run = running && !ended;
    // Where all ranks know, those that do not speak wait here for the end that the speaking one brings.
    if (parallel_run && !gs_error_speaks()) MPI_Barrier(MPI_COMM_WORLD);
    groundswell::base::write_error(groundswell::c::last_error.message);
    std::fflush(stdout);
    std::fflush(stderr);
    if (parallel_run) MPI_Abort(MPI_COMM_WORLD, status);
    std::exit(status);
}
