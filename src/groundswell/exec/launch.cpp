#include "groundswell/exec/launch.hpp"

#include <omp.h>

#include "groundswell/base/termination.hpp"

namespace groundswell::exec {

namespace {
int thread_count = 1;
}

void set_threads(int threads) {
    thread_count = threads < 1 ? 1 : threads;
    // SIGTERM comes to the thread that called, and to no other.
#pragma omp parallel num_threads(thread_count)
    if (omp_get_thread_num() > 0) base::never_terminate_here();
}

namespace detail {
ShareWatch share_watch;
}

void watch_shares(const ShareWatch& watch) {
    detail::share_watch = watch;
}

int threads() {
    return thread_count;
}

int thread_index() {
    return omp_get_thread_num();
}

}  // namespace groundswell::exec
