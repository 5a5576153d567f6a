#ifndef GROUNDSWELL_C_INPUT_H
#define GROUNDSWELL_C_INPUT_H

/* Files read by many ranks, from C: what output.h wrote, and any other netCDF file. Handles and status as in
 * halo.h. A file that is missing, damaged or too short is refused, and so are values that are not those of a
 * checksum which the file has of them. */

#include <mpi.h>
#include <stdint.h>

#include "groundswell/c/output.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gs_input gs_input;

/* Collective over `comm`, which must stay valid until gs_input_close. */
int gs_input_open(MPI_Comm comm, const char* path, gs_input** input);

/* Sets the handle to null. Local. */
int gs_input_close(gs_input** input);

/* The following functions are local. */

/* 0 where the file has no record dimension. */
int gs_input_records(const gs_input* input, int64_t* count);
int gs_input_length(const gs_input* input, const char* dimension, int64_t* length);

/* An attribute of a variable, or of the file where `variable` is null or empty. GS_REFUSED where there is none,
 * it is of the other kind, or does not fit. */

/* At most `capacity` characters, with the zero at the end. */
int gs_input_text(const gs_input* input, const char* variable, const char* name, int64_t capacity,
                  char* text);
/* `count` numbers, converted to double. */
int gs_input_numbers(const gs_input* input, const char* variable, const char* name, int64_t count,
                     double* numbers);

/* Collective. The values of a variable, of record `record` (from 0; without meaning where it has none),
 * converted to `type`: `count` of them. With `rows`, those of the rows that this rank owns, in their order, along
 * `dimension` (null: the first one after the record dimension); of a dimension behind others as
 * gs_schema_distributed says. Where `rows` is null, every rank gets the whole array; this alone for text. */
int gs_input_read(gs_input* input, const char* variable, gs_type type, int64_t record, int64_t count,
                  void* values, const gs_rows* rows, const char* dimension);

#ifdef __cplusplus
}
#endif

#endif
