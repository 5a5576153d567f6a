#include "groundswell/exec/launch.hpp"

#include <omp.h>

namespace groundswell::exec {

namespace {
int thread_count = 1;
}

void set_threads(int threads) {
    thread_count = threads < 1 ? 1 : threads;
}

int threads() {
    return thread_count;
}

int thread_index() {
    return omp_get_thread_num();
}

}  // namespace groundswell::exec
