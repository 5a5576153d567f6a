// Functions that the Fortran module needs besides the C headers. The names are not for C.
#include <mpi.h>

#include <cstdint>

#include "groundswell/base/errors.hpp"
#include "groundswell/c/guard.hpp"
#include "groundswell/c/halo.h"
#include "groundswell/c/input.h"
#include "groundswell/c/output.h"

extern "C" {

// Communicators are Fortran's integers (MPI_Fint), handed over as C's.
int gs_halo_plan_create_fortran(int comm, std::int64_t owned_count, const std::int64_t* owned_ids,
                                std::int64_t needed_count, const std::int64_t* needed_ids,
                                gs_halo_plan** plan) {
    return gs_halo_plan_create(MPI_Comm_f2c(comm), owned_count, owned_ids, needed_count, needed_ids, plan);
}

int gs_halo_plan_create_at_fortran(int comm, std::int64_t owned_count, const std::int64_t* owned_ids,
                                   std::int64_t needed_count, const std::int64_t* needed_ids,
                                   const std::int32_t* needed_index, gs_halo_plan** plan) {
    return gs_halo_plan_create_at(MPI_Comm_f2c(comm), owned_count, owned_ids, needed_count, needed_ids,
                                  needed_index, plan);
}

int gs_servers_split_fortran(int world, const char* wanted, gs_servers** servers, int* compute) {
    MPI_Comm found = MPI_COMM_NULL;
    const int answer = gs_servers_split(MPI_Comm_f2c(world), wanted, servers, &found);
    *compute = MPI_Comm_c2f(found);
    return answer;
}

int gs_rows_create_fortran(int comm, std::int64_t global_count, std::int64_t owned_count,
                           const std::int64_t* owned, gs_rows** rows) {
    return gs_rows_create(MPI_Comm_f2c(comm), global_count, owned_count, owned, rows);
}

int gs_output_create_fortran(int comm, const char* options, const gs_servers* servers, gs_output** output) {
    return gs_output_create(MPI_Comm_f2c(comm), options, servers, output);
}

int gs_input_open_fortran(int comm, const char* path, gs_input** input) {
    return gs_input_open(MPI_Comm_f2c(comm), path, input);
}

/// Reports what a Fortran procedure finds wrong in its arguments.
int gs_reject(const char* message) {
    return groundswell::c::guarded("", [&] { throw groundswell::base::Defect(message); });
}
}
