#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "groundswell/parallel/communicator.hpp"

/// Values of all ranks, brought together in the order of the ranks; of any type that may be copied byte by byte. Collective.
namespace groundswell::parallel {

/// Any number of values from each rank.
template <class T>
struct Gathered {
    std::vector<T> values;
    std::vector<int> begin;  ///< of each rank's, and the end of the last; empty where nothing was gathered

    std::span<const T> of_rank(std::size_t rank) const {
        return std::span(values).subspan(static_cast<std::size_t>(begin[rank]),
                                         static_cast<std::size_t>(begin[rank + 1] - begin[rank]));
    }
};

/// One value of each rank, on rank 0; empty on the others.
template <class T>
std::vector<T> gather(MPI_Comm comm, const T& mine) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> all(rank_of(comm) == 0 ? static_cast<std::size_t>(size_of(comm)) : 0);
    check(MPI_Gather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, 0, comm),
          "gather a value of each rank");
    return all;
}

/// Those of all ranks, on rank 0, or on all of them; nothing elsewhere.
template <class T>
Gathered<T> gather_rows(MPI_Comm comm, std::span<const T> mine, bool to_all = false) {
    static_assert(std::is_trivially_copyable_v<T>);
    constexpr auto what = "gather values of all ranks";
    const bool takes = to_all || rank_of(comm) == 0;
    const auto count = static_cast<int>(mine.size());
    std::vector<int> counts(takes ? static_cast<std::size_t>(size_of(comm)) : 0);
    check(to_all ? MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, comm)
                 : MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, comm),
          what);
    Gathered<T> all;
    if (takes) all.begin.push_back(0);
    for (const int each : counts) all.begin.push_back(all.begin.back() + each);
    if (takes) all.values.resize(static_cast<std::size_t>(all.begin.back()));
    MPI_Datatype type = MPI_DATATYPE_NULL;  // so that counts are of values, not of bytes
    check(MPI_Type_contiguous(sizeof(T), MPI_BYTE, &type), what);
    check(MPI_Type_commit(&type), what);
    const int done = to_all ? MPI_Allgatherv(mine.data(), count, type, all.values.data(), counts.data(),
                                             all.begin.data(), type, comm)
                            : MPI_Gatherv(mine.data(), count, type, all.values.data(), counts.data(),
                                          all.begin.data(), type, 0, comm);
    MPI_Type_free(&type);
    check(done, what);
    return all;
}

/// Values of rank 0 on all ranks, whatever the others had. Collective.
inline void broadcast(MPI_Comm comm, std::vector<double>& values) {
    auto count = static_cast<std::int64_t>(values.size());
    MPI_Bcast(&count, 1, MPI_INT64_T, 0, comm);
    values.resize(static_cast<std::size_t>(count));
    // In pieces that an int counts.
    constexpr std::int64_t most = std::int64_t{1} << 24;
    for (std::int64_t from = 0; from < count; from += most)
        MPI_Bcast(values.data() + from, static_cast<int>(std::min(most, count - from)), MPI_DOUBLE, 0, comm);
}

}  // namespace groundswell::parallel
