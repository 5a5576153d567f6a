#ifndef GROUNDSWELL_C_TYPES_H
#define GROUNDSWELL_C_TYPES_H

/* Types of values; the numbers are used by the Fortran module too. */
typedef int gs_type;
enum { GS_CHARACTER = 0, GS_INT32 = 1, GS_INT64 = 2, GS_FLOAT32 = 3, GS_FLOAT64 = 4 };

#endif
