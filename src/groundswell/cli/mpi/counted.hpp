#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "groundswell/parallel/profile/mpi_calls.hpp"

/// Functions of MPI that count themselves, through the standard's profiling interface: part of the program alone, not of
/// its libraries, and linked before the MPI library. Those that communicate, wait or reach a disk; what only looks up or
/// describes (MPI_Comm_rank, MPI_Type_commit, MPI_Info_set…) is over before a clock could be read.
namespace groundswell::cli::mpi {

inline std::int64_t bytes_of(int count, MPI_Datatype type) {
    if (type == MPI_BYTE || type == MPI_CHAR) return count;
    if (count == 0 || type == MPI_DATATYPE_NULL) return 0;
    int size = 0;
    PMPI_Type_size(type, &size);
    return std::int64_t{size} * count;
}

inline std::int64_t bytes_of(std::span<const int> counts, MPI_Datatype type) {
    std::int64_t sum = 0;
    for (const int count : counts) sum += count;
    return sum * bytes_of(1, type);
}

inline std::int64_t bytes_of(std::span<const int> counts, const MPI_Datatype types[]) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) sum += bytes_of(counts[i], types[i]);
    return sum;
}

using parallel::MpiTraffic;

inline MpiTraffic received(std::int64_t bytes) {
    return {0, bytes};
}

inline std::size_t ranks_of(MPI_Comm comm) {
    int ranks = 0;
    PMPI_Comm_size(comm, &ranks);
    return static_cast<std::size_t>(ranks);
}

inline int rank_of(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

inline bool is_root(int root, MPI_Comm comm) {
    return rank_of(comm) == root;
}

struct Neighbours {
    std::size_t sources, destinations;
};

inline Neighbours neighbours_of(MPI_Comm comm) {
    int sources = 0, destinations = 0, weighted = 0;
    PMPI_Dist_graph_neighbors_count(comm, &sources, &destinations, &weighted);
    return {static_cast<std::size_t>(sources), static_cast<std::size_t>(destinations)};
}

}  // namespace groundswell::cli::mpi

/// Defines MPI_`name`, which counts itself with these bytes: a number of those that are sent, or MpiTraffic.
#define GS_COUNTED(name, parameters, arguments, bytes)                                       \
    static const int number_of_##name = groundswell::parallel::count_mpi_call("MPI_" #name); \
    int MPI_##name parameters {                                                              \
        const groundswell::parallel::CountedCall call(number_of_##name, bytes);              \
        return PMPI_##name arguments;                                                        \
    }

/// The same of one that is called again and again until something has happened.
#define GS_POLLED(name, parameters, arguments)                                               \
    static const int number_of_##name = groundswell::parallel::count_mpi_call("MPI_" #name); \
    int MPI_##name parameters {                                                              \
        const groundswell::parallel::PolledCall call(number_of_##name);                      \
        return PMPI_##name arguments;                                                        \
    }
