#pragma once

#include <mpi.h>

#include <span>

#include "groundswell/quake/fault/fault.hpp"
#include "groundswell/quake/material.hpp"
#include "groundswell/simulation/report.hpp"

namespace groundswell::quake {

/// What faults have done since the start.
struct FaultTotals {
    double moment =
        0.0;  ///< N m: the integral of slip along its path times the harmonic mean of both sides' μ
    double area = 0.0;                              ///< m², ruptured
    double mean_slip = 0.0;                         ///< m, over the ruptured area
    double largest_slip = 0.0, largest_rate = 0.0;  ///< m, m s⁻¹, at a point
    double friction_work = 0.0;                     ///< J, that friction has turned into heat and fracture
    double released_work = 0.0;                     ///< J, that has gone into waves and strain

    double magnitude() const;
    void add_to(simulation::Report& report) const;
};

/// Of all ranks; the bits do not depend on them. `material`: of all cells of the mesh. Collective.
template <class Real>
FaultTotals totals_of(MPI_Comm comm, const Fault<Real>& fault, std::span<const Material> material);

}  // namespace groundswell::quake
