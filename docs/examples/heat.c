/* Heat diffuses around a ring of cells while dye is carried along: a small model in C on groundswell's halo
 * exchange and output.
 *
 *   mpirun -n 4 heat FILE.nc [TRANSPORT [OUTPUT_OPTIONS [SERVERS]]]      defaults: auto, none, 0
 *
 * Heat: h += K (left - 2 h + right), so wave number m decays by 1 - 4 K sin²(π m / CELLS) a step. Dye moves on by
 * one cell a step. The program checks both against these exact solutions; exit code 1 if they are not met.
 * heat.f90 is the same model in Fortran; their files are equal. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "groundswell/c/halo.h"
#include "groundswell/c/messages.h"
#include "groundswell/c/output.h"

enum { CELLS = 120, LEVELS = 3, STEPS = 60, RECORD_EVERY = 20 };
static const double K = 0.2, PI = 3.14159265358979323846;

typedef struct {
    double (*heat)[LEVELS]; /* of each level: first the owned cells, then the two that are needed */
    float *dye;
} State;

static State allocate(int cells) {
    State state = {calloc((size_t)cells, sizeof(double[LEVELS])), calloc((size_t)cells, sizeof(float))};
    if (!state.heat || !state.dye) MPI_Abort(MPI_COMM_WORLD, GS_FAILED);
    return state;
}

static double first_heat(int cell, int level) { return cos(2 * PI * (level + 1) * cell / CELLS); }
static float first_dye(int cell) { return (cell + CELLS) % CELLS < 10 ? 1.0f : 0.0f; }

/* Cells from `first` to before `last` of the `owned` ones. The needed ones stand behind: left, then right. */
static void update(int first, int last, int owned, State now, State next) {
    for (int i = first; i < last; ++i) {
        const int left = i > 0 ? i - 1 : owned, right = i < owned - 1 ? i + 1 : owned + 1;
        for (int l = 0; l < LEVELS; ++l) {
            next.heat[i][l] = now.heat[i][l] + K * (now.heat[left][l] - 2 * now.heat[i][l] + now.heat[right][l]);
        }
        next.dye[i] = now.dye[left];
    }
}

/* What the library has to say goes where this model's own messages go. */
static void tell(gs_message_level level, const char *text, void *log) {
    fprintf(log, "heat: %s%s\n", level == GS_MESSAGE_ERROR ? "error: " : "", text);
}

static gs_file *create_file(gs_output *output, const char *path) {
    gs_schema *schema = NULL;
    gs_file *file = NULL;
    const char *dimensions[] = {"time", "cell", "level"};
    gs_check(gs_schema_create(&schema));
    gs_check(gs_schema_dimension(schema, "time", GS_UNLIMITED));
    gs_check(gs_schema_dimension(schema, "cell", CELLS));
    gs_check(gs_schema_dimension(schema, "level", LEVELS));
    gs_check(gs_schema_variable(schema, "time", GS_FLOAT64, 1, dimensions));
    gs_check(gs_schema_variable(schema, "angle", GS_FLOAT64, 1, dimensions + 1));
    gs_check(gs_schema_variable(schema, "heat", GS_FLOAT64, 3, dimensions));
    gs_check(gs_schema_variable(schema, "dye", GS_FLOAT32, 2, dimensions));
    gs_check(gs_schema_text(schema, NULL, "title", "heat and dye on a ring"));
    gs_check(gs_schema_text(schema, "time", "units", "seconds since 2000-01-01 00:00:00"));
    gs_check(gs_schema_text(schema, "angle", "units", "degree"));
    gs_check(gs_schema_numbers(schema, "heat", "diffusivity", GS_FLOAT64, 1, &K));
    gs_check(gs_file_create(output, path, schema, 1, &file));
    gs_check(gs_schema_destroy(&schema));
    return file;
}

int main(int argc, char **argv) {
    int given = 0, rank = 0, ranks = 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
    if (argc < 2) {
        fprintf(stderr, "usage: heat FILE.nc [TRANSPORT [OUTPUT_OPTIONS [SERVERS]]]\n");
        MPI_Abort(MPI_COMM_WORLD, GS_REFUSED);
    }
    gs_check(gs_messages_level(GS_MESSAGE_INFO)); /* also what was chosen */
    gs_check(gs_messages_to(tell, stderr));

    /* Ranks that only write, if any were asked for. */
    gs_servers *servers = NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    gs_check(gs_servers_split(MPI_COMM_WORLD, argc > 4 ? argv[4] : "0", &servers, &comm));
    if (comm == MPI_COMM_NULL) {
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);

    /* The cells of this rank, and those that it needs: one on the left, one on the right. */
    const int begin = CELLS * rank / ranks, owned = CELLS * (rank + 1) / ranks - begin;
    int64_t ids[CELLS];
    for (int i = 0; i < owned; ++i) ids[i] = begin + i;
    const int64_t needed[] = {(begin + CELLS - 1) % CELLS, (begin + owned) % CELLS};
    gs_halo_plan *plan = NULL;
    gs_check(gs_halo_plan_create(comm, owned, ids, 2, needed, &plan));

    /* Both fields travel in one message. */
    State now = allocate(owned + 2), next = allocate(owned + 2);
    gs_halo_field fields[] = {{now.heat, sizeof(double[LEVELS]), 0}, {now.dye, sizeof(float), 0}};
    gs_halo *halo = NULL;
    gs_check(gs_halo_create(plan, argc > 2 ? argv[2] : "auto", 2, fields, &halo));

    /* The file; this rank's rows of it are its cells. */
    gs_output *output = NULL;
    gs_rows *rows = NULL;
    gs_check(gs_output_create(comm, argc > 3 ? argv[3] : NULL, servers, &output));
    gs_check(gs_rows_create(comm, CELLS, owned, ids, &rows));
    gs_file *file = create_file(output, argv[1]);
    double angle[CELLS];
    for (int i = 0; i < owned; ++i) angle[i] = 360.0 * (begin + i) / CELLS;
    gs_check(gs_file_write(file, "angle", GS_FLOAT64, owned, angle, rows));

    for (int i = 0; i < owned; ++i) {
        for (int l = 0; l < LEVELS; ++l) now.heat[i][l] = first_heat(begin + i, l);
        now.dye[i] = first_dye(begin + i);
    }
    for (int step = 0; step <= STEPS; ++step) {
        if (step % RECORD_EVERY == 0) {
            gs_check(gs_file_put(file, "heat", GS_FLOAT64, (int64_t)owned * LEVELS, now.heat, rows));
            gs_check(gs_file_put(file, "dye", GS_FLOAT32, owned, now.dye, rows));
            gs_check(gs_file_end_record(file, step));
        }
        if (step == STEPS) break;
        fields[0].values = now.heat;
        fields[1].values = now.dye;
        gs_check(gs_halo_start(halo, 2, fields));
        update(1, owned - 1, owned, now, next); /* needs no other rank's cells */
        gs_check(gs_halo_finish(halo));
        update(0, 1, owned, now, next);
        if (owned > 1) update(owned - 1, owned, owned, now, next);
        const State old = now;
        now = next;
        next = old;
    }

    int wrong = 0;
    for (int i = 0; i < owned; ++i) {
        for (int l = 0; l < LEVELS; ++l) {
            const double decay = 1 - 4 * K * pow(sin(PI * (l + 1) / CELLS), 2);
            wrong += fabs(now.heat[i][l] - pow(decay, STEPS) * first_heat(begin + i, l)) > 1e-12;
        }
        wrong += now.dye[i] != first_dye(begin + i - STEPS);
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, comm);
    if (rank == 0) printf("%s: %d wrong values\n", gs_halo_transport(halo), wrong);

    gs_check(gs_file_close(&file));
    gs_check(gs_output_finish(&output));
    gs_check(gs_halo_destroy(&halo));
    gs_check(gs_rows_destroy(&rows));
    gs_check(gs_halo_plan_destroy(&plan));
    gs_check(gs_servers_release(&servers));
    free(now.heat);
    free(now.dye);
    free(next.heat);
    free(next.dye);
    MPI_Finalize();
    return wrong ? 1 : 0;
}
