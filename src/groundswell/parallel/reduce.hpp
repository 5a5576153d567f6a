#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "groundswell/parallel/exact_sum.hpp"

namespace groundswell::parallel {

/// Reductions whose bits do not depend on how values are spread over ranks. All are collective and give every
/// rank the same result.

/// A value and the global id of the cell (or whatever) it belongs to. `no_id` marks the outcome of nothing at
/// all.
struct Located {
    static constexpr std::int64_t no_id = INT64_MAX;
    double value = 0.0;
    std::int64_t id = no_id;
};

/// The smaller (larger) of two; on equal values the lower id; a NaN beats any number, so that it is not
/// hidden; a candidate with `no_id` loses to any other.
Located lesser(Located a, Located b);
Located greater(Located a, Located b);

/// The smallest (largest) over ranks. A rank that has none passes Located{}.
Located min_located(MPI_Comm comm, Located mine);
Located max_located(MPI_Comm comm, Located mine);

/// The exact sum of all values on all ranks, rounded once.
double sum(MPI_Comm comm, std::span<const double> mine);

/// Several exact sums in one message; every rank passes as many. Values rounded once each.
std::vector<double> sum(MPI_Comm comm, std::span<ExactSum> mine);

std::int64_t sum(MPI_Comm comm, std::int64_t mine);
std::int64_t min(MPI_Comm comm, std::int64_t mine);
std::int64_t max(MPI_Comm comm, std::int64_t mine);
/// The same of a rank that waits for so many seconds and no longer: nothing where others have not come by then. After that no rank may go
/// on. Met by max_within() of the others.
std::optional<std::int64_t> max_within(MPI_Comm comm, std::int64_t mine, double seconds);
/// The sum over the ranks before this one.
std::int64_t sum_before(MPI_Comm comm, std::int64_t mine);
double min(MPI_Comm comm, double mine);
double max(MPI_Comm comm, double mine);
/// Several in one message; every rank passes as many, and no NaN.
std::vector<double> max(MPI_Comm comm, std::vector<double> mine);

/// {min, mean, max} over ranks; the mean from an exact sum.
struct Statistic {
    double min = 0.0;
    double mean = 0.0;
    double max = 0.0;
};
Statistic statistic(MPI_Comm comm, double mine);
std::vector<Statistic> statistics(MPI_Comm comm, std::span<const double> mine);

}  // namespace groundswell::parallel
