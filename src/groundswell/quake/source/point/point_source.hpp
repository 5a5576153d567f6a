#pragma once

#include <mpi.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>

#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/parallel/exact_sum.hpp"
#include "groundswell/quake/source/point/time_function.hpp"

namespace groundswell::quake {

/// Point source: a moment tensor, or a force, or both (K. Aki and P. G. Richards 2002, "Quantitative Seismology",
/// sections 2.3 and 3.3).
struct PointSource {
    tetra::Point place{};
    /// Mxx Myy Mzz Mxy Myz Mxz, N m: what the moment is when the time function's integral is 1.
    std::array<double, 6> moment{};
    std::array<double, 3> force{};  ///< N s: the force is this times the rate
    std::shared_ptr<const TimeFunction> rate;

    /// Whether the moment is more than the pressure of an explosion.
    bool shears() const {
        const double most = 1e-9 * (std::abs(moment[0]) + std::abs(moment[1]) + std::abs(moment[2]));
        return std::abs(moment[0] - moment[1]) > most || std::abs(moment[0] - moment[2]) > most ||
               std::abs(moment[3]) > most || std::abs(moment[4]) > most || std::abs(moment[5]) > most;
    }
    /// Contribution to ∂q/∂t at its place, times the rate: −Ṁ to the stress, the force over the density to the velocity.
    std::array<double, 9> effect(double density) const {
        std::array<double, 9> effect{};
        for (int i = 0; i < 6; ++i) effect[i] = -moment[i];
        for (int i = 0; i < 3; ++i) effect[6 + i] = force[i] / density;
        return effect;
    }
};

/// The moment tensor of slip on a plane, in axes x east, y north, z up; angles in radians (Aki and Richards 2002, box 4.4,
/// whose axes are north, east and down).
std::array<double, 6> double_couple(double moment, double strike, double dip, double rake);

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
