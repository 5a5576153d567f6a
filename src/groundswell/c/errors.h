#ifndef GROUNDSWELL_C_ERRORS_H
#define GROUNDSWELL_C_ERRORS_H

/* Groundswell's runtime from C: what every function returns. Part of the library `groundswell`; the same from
 * Fortran in the module `groundswell`. */

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers are the exit codes of the program groundswell. */
enum {
    GS_DONE = 0,
    GS_REFUSED = 2, /* input that cannot be used: nothing was done */
    GS_FAILED = 3,  /* a failure during the run (disk, memory, MPI); what was complete before stays valid */
    GS_DEFECT = 4   /* a function called wrongly (no handle, started twice), or a fault of the library */
};

/* What went wrong in the last call of this thread that did not return GS_DONE; never null. Valid until the
 * next such call. */
const char* gs_error_message(void);

/* 1 on the one rank that should print the message, where all ranks of a collective call return the same
 * error; also 1 where this rank alone met an error: then the others may be waiting for it, and only MPI_Abort
 * ends them. */
int gs_error_speaks(void);

/* Returns if status is GS_DONE. Otherwise ends the program on all ranks with that exit code and one message
 * on standard error: gs_check(gs_halo_start(halo, fields)). */
void gs_check(int status);

#ifdef __cplusplus
}
#endif

#endif
