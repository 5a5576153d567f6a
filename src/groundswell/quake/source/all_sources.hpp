#pragma once

#include <mpi.h>

#include <vector>

#include "groundswell/quake/case.hpp"
#include "groundswell/quake/domain.hpp"
#include "groundswell/quake/source/rupture/spread.hpp"
#include "groundswell/quake/source/tally.hpp"
#include "groundswell/simulation/report.hpp"

namespace groundswell::quake {

/// The sources of a case, once they act.
struct AllSources {
    SourceTotals totals;
    std::vector<SpreadRupture> ruptures;  ///< files and planes

    /// Tells people. Not collective.
    void announce() const;
    /// `seismic_moment`, `magnitude` and `sources`. Not collective.
    void report(simulation::Report& report) const;
};

/// Lets all sources of a case act: points, then ruptures of files, then planes, each in the order of the case. base::Refusal on
/// all ranks for places outside the mesh and files that are not sound. Collective.
AllSources add_sources(MPI_Comm comm, const Case& run, const Domain& domain, const AddSources& add);

}  // namespace groundswell::quake
