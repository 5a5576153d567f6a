#ifndef GROUNDSWELL_LAB_SIMULATION_H
#define GROUNDSWELL_LAB_SIMULATION_H

/* A simulation that another program steps, looks at and changes: what `groundswell run` does, in the hands of its caller. Part of
 * the library `groundswell_lab`, which has all of `groundswell` (c/errors.h …) and the models; the Python package groundswell.lab
 * is made of it. Functions return a status; all but those marked local are collective over the simulation's ranks, and return
 * the same status on all. */

#include <mpi.h>
#include <stdint.h>

#include "groundswell/c/errors.h"
#include "groundswell/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gs_simulation gs_simulation;

/* An array of this rank. Texts and values are good until the next call. */
typedef struct gs_variable {
    const char *name, *units, *long_name, *standard_name;
    const char* dimensions;  /* names and lengths, slowest first: "nFace 1234 frequency 35 direction 36" */
    const char* distributed; /* that of them along which each rank has its own; "" where all have the same */
    gs_type type;
    int writable; /* whether the model goes on from what is written there */
    void* values;
    int64_t stride; /* values from one of the first dimension to the next; the others are packed */
} gs_variable;

/* Points of a fault at the end of a sub-step, in SI units: arrays of `count` values. */
typedef struct gs_friction_points {
    int64_t count;
    double seconds, length; /* of the end, behind the start; of the sub-step */
    const double *x, *y, *z;
    const double *slip, *slip_rate; /* that weakens the fault: so far, and in this sub-step */
    const double* normal;           /* traction, tension positive */
    const double* parameters;       /* one array behind the other, those of the case's law in [[fault.set]] … */
    const char* parameter_names;    /* … with these names, with spaces between */
    double* state;                  /* for the function to keep; 0 at the start */
    double* friction;               /* that of the case's law; to be changed */
} gs_friction_points;

/* A function of the caller, null or called on every rank with `context`. If it meets an error it writes what it was into `problem`
 * (with a zero at the end) and returns a number other than 0: the call under way then fails on all ranks. It calls nothing that
 * is collective. */
typedef struct gs_simulation_hooks {
    void* context;
    /* May change the state at `seconds` behind the start, before a cycle of so many seconds. */
    int (*before_cycle)(void* context, double seconds, double cycle, char* problem, int64_t capacity);
    /* Changes `values` of a kind of forcing, such as "wind" (its `components`, each of `cells` cells), which are those of the case.
     * Places in radians. Asked at the start and at the end of each cycle, for those kinds that are `forced`: words with spaces between. */
    int (*forcing)(void* context, const char* kind, double seconds, int64_t cells, const double* longitude,
                   const double* latitude, int components, double* const* values, char* problem,
                   int64_t capacity);
    const char* forced;
    /* Changes the friction of points of a fault in a sub-step. Called by all threads at once, for some faces each. */
    int (*friction)(void* context, const gs_friction_points* points, char* problem, int64_t capacity);
} gs_simulation_hooks;

/* Reads the case, makes its model and its output files, and sets it at its start, or where the file `restart` ends. `settings`:
 * lines KEY=VALUE, as --set has them. Null or "" where there is none. `comm` must outlive the simulation. */
int gs_simulation_create(MPI_Comm comm, const char* case_file, const char* settings,
                         const char* output_folder, const char* restart, int overwrite,
                         const gs_simulation_hooks* hooks, gs_simulation** simulation);

typedef struct gs_simulation_moment {
    int64_t step, last_step, steps_per_cycle; /* outputs, restarts and sources fall on ends of cycles */
    double seconds, end, step_seconds;        /* behind the start of the case */
    int64_t owned_cells, cells;
    int over; /* at the end of the schedule, or where the model ends by itself */
} gs_simulation_moment;

/* Local. */
int gs_simulation_now(const gs_simulation* simulation, gs_simulation_moment* moment);

/* So many steps, or those that are left; writes what is due. */
int gs_simulation_advance(gs_simulation* simulation, int64_t steps);

/* What a restart file would hold, as it stands in the model; and what stands beside that: places, axes, what acts. Local; valid until
 * the next step. */
int gs_simulation_state(gs_simulation* simulation, int* count);
int gs_simulation_surroundings(gs_simulation* simulation, int* count);
/* The record of output file `stream` (in the order of the case) as it is at this moment; refused at other moments than ends of
 * cycles, and for a model that steps at rates of its own. `count` 0 where there is no such file. */
int gs_simulation_record(gs_simulation* simulation, int stream, int* count);
/* Local. Of what was asked for last, number `number`. */
int gs_simulation_variable(const gs_simulation* simulation, int number, gs_variable* variable);

/* Adds what `rate` is in so many seconds to the action of `rows` cells, each `row_values` packed in `rate` and at `stride` in `action`, both
 * of this type (GS_FLOAT32 or GS_FLOAT64); leaves none below 0. Returns the first row at which a sum is no finite number, or -1. Local. */
int64_t gs_action_add(gs_type type, int64_t rows, int64_t row_values, int64_t stride, double seconds,
                      const void* rate, void* action);

/* Writes a restart file, at the end of a cycle, and says which. */
int gs_simulation_write_restart(gs_simulation* simulation, const char** file);

/* Waits until all is on the disk, and sets the handle to null, also after an error. */
int gs_simulation_finish(gs_simulation** simulation);

#ifdef __cplusplus
}
#endif

#endif
