/* Ranks of MPICH look for messages without end while they wait. Where there are more ranks than cores, each spends whole
 * time slices so, while the rank that it waits for has no core. Preloaded, this library asks the scheduler for another one
 * after each look that finds nothing. A look is a call of ucp_worker_progress in MPICH's device ch4:ucx, the one of Debian
 * and Ubuntu; with another device nothing changes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

typedef unsigned (*Progress)(void*);

unsigned ucp_worker_progress(void* worker);
unsigned ucp_worker_progress(void* worker) {
    static Progress progress;
    if (!progress) progress = (Progress)dlsym(RTLD_NEXT, "ucp_worker_progress");
    const unsigned found = progress(worker);
    if (found == 0) sched_yield();
    return found;
}
