#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace groundswell::parallel {

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
