#pragma once

#include <mpi.h>

#include <array>
#include <map>
#include <span>
#include <vector>

#include "groundswell/parallel/exact_sum.hpp"
#include "groundswell/quake/fault/fault.hpp"
#include "groundswell/quake/source/point/point_source.hpp"
#include "groundswell/simulation/report.hpp"

namespace groundswell::quake {

/// Totals of faults since the start.
struct FaultTotals {
    double moment =
        0.0;  ///< N m: the integral of slip along its path times the harmonic mean of both sides' μ
    double moment_of_jump = 0.0;                    ///< N m: the same by jump_path; 0 unless that is kept
    double moment_rate = 0.0;                       ///< N m s⁻¹
    double area = 0.0;                              ///< m², ruptured
    double mean_slip = 0.0;                         ///< m, over the ruptured area
    double largest_slip = 0.0, largest_rate = 0.0;  ///< m, m s⁻¹, at a point
    double friction_work = 0.0;                     ///< J, that friction has turned into heat and fracture
    double fracture_work = 0.0;  ///< J, of it what was more than the strength of now would have taken
    double released_work = 0.0;  ///< J, that has gone into waves and strain
    /// J, of it the waves, once nothing slips any more: what is left of ½ (τ₀ + τ) · slip after friction (B. V. Kostrov
    /// 1974; A. Venkataraman and H. Kanamori 2004, doi:10.1029/2003JB002549, equation 3).
    double radiated_energy = 0.0;

    double magnitude() const { return moment_magnitude(moment); }
};

/// Adds up what faces have done; the bits depend on no order.
class FaultSums {
public:
    /// A face of this area, m², between rock whose harmonic mean of μ is `mu`, Pa. `strength`: [point], Pa, see
    /// Fault::strength; `state`: [FaultState][point].
    void add(const FaultRule& rule, double area, double mu, std::span<const double> strength,
             std::span<const double> state);
    void add(const FaultSums& other);
    /// Totals over all ranks, for one sum after the other. Collective.
    static std::vector<FaultTotals> totals(MPI_Comm comm, std::span<const FaultSums> sums);

private:
    enum Sum {
        moment,
        moment_of_jump,
        moment_rate,
        area,
        slip,
        by_friction,
        fracture,
        released,
        radiated,
        all_sums
    };
    std::array<parallel::ExactSum, all_sums> sums_;
    double largest_slip_ = 0.0, largest_rate_ = 0.0;
};

/// Totals of all faults together and of each.
struct RuptureTotals {
    FaultTotals all;
    std::map<int, FaultTotals> of_fault;  ///< by tag

    void add_to(simulation::Report& report) const;
};

/// Totals over all ranks at a time, s, that all faces have reached; the bits do not depend on the ranks. Collective.
RuptureTotals totals_of(MPI_Comm comm, const Fault& fault, double time);

/// Number of fault faces with their + side in each cluster. Collective.
std::vector<std::int64_t> faces_of_clusters(MPI_Comm comm, const Fault& fault, const tetra::LocalMesh& mesh);

}  // namespace groundswell::quake
