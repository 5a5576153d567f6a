#ifndef GROUNDSWELL_C_OUTPUT_H
#define GROUNDSWELL_C_OUTPUT_H

/* Files that many ranks write together, from C: netCDF, record by record, each record visible to readers when
 * it is whole, while the model goes on. Handles and status as in halo.h. Collective functions are called by
 * all ranks that compute, in the same order, with the same names and options.
 *
 * Order of calls: [gs_servers_split] gs_output_create, then for each file a schema, gs_file_create,
 * gs_file_write for what has no time, and for each record gs_file_put for each variable and
 * gs_file_end_record (or for many at once gs_file_end_records); gs_file_close, gs_output_finish
 * [gs_servers_release]. input.h reads files again. */

#include <mpi.h>
#include <stdint.h>

#include "groundswell/c/errors.h"
#include "groundswell/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Length of the record dimension: by convention "time", with a coordinate variable of that name in
 * GS_FLOAT64. */
enum { GS_UNLIMITED = -1 };

/* ---- Servers: some of the ranks write, the others compute ---------------------------------------------- */

typedef struct gs_servers gs_servers;

/* Sets ranks of `world` apart as output servers: `wanted` is a number of them ("2") or a share ("10%"); "0"
 * gives none. On ranks that compute, `compute` is their communicator (valid until gs_servers_release), to be
 * used for all that follows. On a server this function serves, and returns when the ranks that compute have
 * released it; `compute` is then MPI_COMM_NULL and nothing is left to do but to end MPI. Collective. */
int gs_servers_split(MPI_Comm world, const char* wanted, gs_servers** servers, MPI_Comm* compute);

/* Lets the servers end, after gs_output_finish. Sets the handle to null. Collective over the ranks that
 * compute; also after an error that all of them share. */
int gs_servers_release(gs_servers** servers);

/* ---- Who owns which rows ------------------------------------------------------------------------------- */

typedef struct gs_rows gs_rows;

/* The distributed dimension of a variable (gs_schema_distributed) has `global_count` rows; this
 * rank has the values of the rows `owned` (from 0 on, any order, each owned by one rank), in that order. One
 * handle serves any number of variables and files of the same `comm`. Collective. */
int gs_rows_create(MPI_Comm comm, int64_t global_count, int64_t owned_count, const int64_t* owned,
                   gs_rows** rows);
int gs_rows_destroy(gs_rows** rows);

/* ---- What a file holds --------------------------------------------------------------------------------- */

typedef struct gs_schema gs_schema;

/* Local functions. Names that do not fit together are refused when a file is made. */
int gs_schema_create(gs_schema** schema);
int gs_schema_destroy(gs_schema** schema);
int gs_schema_dimension(gs_schema* schema, const char* name, int64_t length);

/* Dimensions slowest first, the record dimension before all others; none for a scalar. */
int gs_schema_variable(gs_schema* schema, const char* name, gs_type type, int count,
                       const char* const* dimensions);

/* The dimension of a variable whose rows are spread over the ranks, where that is not the first one after the
 * record dimension: "node" of (time, level, node). A rank then gives, level by level, the values of its own
 * nodes. GS_REFUSED where the schema has no such variable. */
int gs_schema_distributed(gs_schema* schema, const char* variable, const char* dimension);

/* An attribute of a variable, or of the file where `variable` is null or empty. A _FillValue has the type of
 * its variable. */
int gs_schema_text(gs_schema* schema, const char* variable, const char* name, const char* text);
int gs_schema_numbers(gs_schema* schema, const char* variable, const char* name, gs_type type, int count,
                      const void* values);

/* ---- The output of a run ------------------------------------------------------------------------------- */

typedef struct gs_output gs_output;

/* `options`: "KEY = VALUE" separated by commas, or null for the defaults:
 *     mode          direct | serial | thread | servers | auto (default): who writes, and when
 *     backend       direct | serial | auto: the library below thread and servers
 *     buffer_bytes  of values that may wait on each rank; 0 (default): two records
 *                   (a record that is larger than a given bound waits alone)
 *     on_error      stop (default) | drop | retry
 *     format        cdf5 (default) | netcdf4
 *     compression   of netcdf4: 0 (default) none, 1 fast, ... 9 small
 *     checksums     true | false (default): stored in the file
 *     silence       seconds after which a writer that gives no sign is named in a warning (default 60)
 *     hint.NAME     for MPI-IO and PnetCDF
 * `servers`: of gs_servers_split, for mode servers; else null. thread needs MPI_Init_thread with
 * MPI_THREAD_MULTIPLE. GS_REFUSED on all ranks if an option is unknown or cannot work here. Collective over
 * `comm`, the ranks that compute. */
int gs_output_create(MPI_Comm comm, const char* options, const gs_servers* servers, gs_output** output);

/* Returns when everything handed over is on the disk, or with what kept it from there. Collective. */
int gs_output_settle(gs_output* output);

/* Closes what is open, waits for everything, and returns the first error that there was. The handle and those
 * of its files are gone afterwards, also after an error. Collective. */
int gs_output_finish(gs_output** output);

typedef struct gs_output_cost {
    int64_t records;        /* whole ones on the disk, all files together */
    int64_t bytes;          /* of values on the disk */
    double blocked_seconds; /* that this rank spent in these functions */
    double writing_seconds; /* of a writer, behind them or within them */
} gs_output_cost;
int gs_output_cost_get(const gs_output* output, gs_output_cost* cost);

/* ---- A file -------------------------------------------------------------------------------------------- */

typedef struct gs_file gs_file;

/* Errors of the disk may come with any later call; with gs_output_settle they come at once. All collective.
 */

/* GS_REFUSED if the file exists and overwrite is 0, or the schema contradicts itself. */
int gs_file_create(gs_output* output, const char* path, const gs_schema* schema, int overwrite,
                   gs_file** file);

/* Goes on with a file after a restart: it must hold this schema. Records later than `last_time` are
 * dropped. */
int gs_file_reopen(gs_output* output, const char* path, const gs_schema* schema, double last_time,
                   gs_file** file);

/* A variable without record dimension. `values`: rows that this rank owns, `count` values in all; where
 * `rows` is null, the whole array, which rank 0 alone needs to have. */
int gs_file_write(gs_file* file, const char* variable, gs_type type, int64_t count, const void* values,
                  const gs_rows* rows);

/* The same for the record under way. The values must stay as they are until gs_file_end_record returns.
 * Local. */
int gs_file_put(gs_file* file, const char* variable, gs_type type, int64_t count, const void* values,
                const gs_rows* rows);

/* Hands the record over: every record variable was put but the time coordinate, which gets `time`. */
int gs_file_end_record(gs_file* file, double time);

/* Hands `count` records over at once, with these times: for each variable, gs_file_put gave the values of the
 * first record, then those of the second, and so on, `count` times as many. Readers see all of them or none,
 * and the call costs what a single record costs. */
int gs_file_end_records(gs_file* file, int64_t count, const double* times);

/* Nothing can be written afterwards. Sets the handle to null. */
int gs_file_close(gs_file** file);

#ifdef __cplusplus
}
#endif

#endif
