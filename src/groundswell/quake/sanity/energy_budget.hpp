#pragma once

#include <mpi.h>

#include <vector>

#include "groundswell/quake/domain.hpp"
#include "groundswell/quake/wavefield.hpp"

namespace groundswell::quake {

/// Energy that a wave field holds and where it came from, J, over all ranks; the bits do not depend on the ranks.
struct EnergyBudget {
    double held =
        0.0;  ///< kinetic energy, elastic energy of the change of stress, and that of the sea's surface
    double sources = 0.0;   ///< the work of sources since they were added
    double faults = 0.0;    ///< the work that slip has released, that of stress nucleation included
    double yielding = 0.0;  ///< what yielding rock has given, at most: below 0 where it takes more
    double spent = 0.0;     ///< the work that yielding has taken, of all stress

    double given() const { return sources + faults + yielding; }
};

/// `of_cells`: receives kinetic and elastic energy of each owned cell, J. Collective.
template <class Real>
EnergyBudget energy_budget(MPI_Comm comm, const Domain& domain, const Wavefield<Real>& field,
                           std::vector<double>& of_cells);

/// Energy that all faults together release in a second, J, where they slip at the rate that counts as rupture. Collective.
double power_of_creep(MPI_Comm comm, const Domain& domain, const Fault& fault);

/// The fastest slip that all the stress on faults could drive, m s⁻¹: the greatest traction that acts at a point, all of the
/// nucleation included, over the impedance of the fault to shear. Collective.
double fastest_slip(MPI_Comm comm, const Domain& domain, const Fault& fault);

}  // namespace groundswell::quake
