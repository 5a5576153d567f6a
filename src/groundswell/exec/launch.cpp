#include "groundswell/exec/launch.hpp"

#include <omp.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

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

#if defined(__SSE2__)
namespace {
constexpr unsigned flush_bits = 0x8000 | 0x0040;  // bits of MXCSR: flush to zero, subnormals are zero
}
#endif

void flush_subnormals() {
#if defined(__SSE2__)
    _mm_setcsr(_mm_getcsr() | flush_bits);
#endif
}

bool flushes_subnormals() {
#if defined(__SSE2__)
    return (_mm_getcsr() & flush_bits) == flush_bits;
#else
    return true;
#endif
}

}  // namespace groundswell::exec
