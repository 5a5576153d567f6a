#ifndef GROUNDSWELL_ONE_RANK_H
#define GROUNDSWELL_ONE_RANK_H

#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes of a value of this type, one of mpi.h or made by MPI_Type_... */
size_t size_of(MPI_Datatype type);

/* Defines a function by both its names, so that one that counts itself may stand before it. */
#define FUNCTION(name, parameters, ...) \
    int PMPI_##name parameters {        \
        __VA_ARGS__                     \
        return MPI_SUCCESS;             \
    }                                   \
    __asm__(".globl MPI_" #name "\n.set MPI_" #name ", PMPI_" #name);

#endif
