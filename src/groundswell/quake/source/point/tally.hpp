#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <span>

#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/parallel/exact_sum.hpp"
#include "groundswell/quake/source/point/point_source.hpp"

namespace groundswell::quake {

/// The scalar moment of a tensor xx yy zz xy yz xz: its norm over √2, which is M₀ of a double couple (P. G. Silver & T. H.
/// Jordan 1982, doi:10.1111/j.1365-246X.1982.tb04975.x).
double scalar_moment(const std::array<double, 6>& tensor);

/// ⅔ (log₁₀ M₀ − 9.05), M₀ in N m (T. C. Hanks & H. Kanamori 1979, doi:10.1029/JB084iB05p02348).
double moment_magnitude(double scalar_moment);

/// Totals of all sources of a case.
struct SourceTotals {
    std::int64_t count = 0;
    double moment = 0.0;             ///< the sum of the scalar moments of all sources, N m
    std::array<double, 6> tensor{};  ///< the sum of their tensors, N m
    tetra::Point centroid{};         ///< of the moment, m
    double centroid_time = 0.0;      ///< s
};

/// Adds up sources, each on one rank alone.
class SourceTally {
public:
    /// Those that act at one place: they count as one source, with one tensor.
    void add(std::span<const PointSource> sources);
    /// Totals over all ranks; the bits do not depend on the ranks. Collective.
    SourceTotals total(MPI_Comm comm);

private:
    std::int64_t count_ = 0;
    std::array<parallel::ExactSum, 11> sums_;  // moment, times x, y, z and time, the tensor
};

}  // namespace groundswell::quake
