#pragma once

#include <mpi.h>

#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

/// MPI_Neighbor_alltoallv_init is part of MPI-4. Libraries that claim an older standard may have it too, and
/// Open MPI 4 has it as an extension with the prefix MPIX_: so the declarations are asked, not the versions.
/// Nothing else in the program knows which of them there is.
namespace groundswell::halo::neighbor_init {

template <class... Arguments>
constexpr bool is_standard = requires(Arguments... arguments) {
    MPI_Neighbor_alltoallv_init(arguments...);
};

template <class... Arguments>
constexpr bool is_extension = requires(Arguments... arguments) {
    MPIX_Neighbor_alltoallv_init(arguments...);
};

template <class... Arguments>
constexpr bool is_missing = !is_standard<Arguments...> && !is_extension<Arguments...>;

/// Makes the persistent request with the form that this library has; MPI_ERR_OTHER if it has neither.
template <class... Arguments>
int call(Arguments... arguments) {
    if constexpr (is_standard<Arguments...>) {
        return MPI_Neighbor_alltoallv_init(arguments...);
    } else if constexpr (is_extension<Arguments...>) {
        return MPIX_Neighbor_alltoallv_init(arguments...);
    } else {
        return MPI_ERR_OTHER;
    }
}

/// Whether this library has either form.
constexpr bool available = !is_missing<const void*, const int*, const int*, MPI_Datatype, void*, const int*,
                                       const int*, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*>;

/// Whether it has the standard's.
constexpr bool standard = is_standard<const void*, const int*, const int*, MPI_Datatype, void*, const int*,
                                      const int*, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*>;

static_assert(is_missing<int>, "what is not there is noticed: neither form takes one int");

}  // namespace groundswell::halo::neighbor_init
