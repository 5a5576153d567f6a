#pragma once

#include <mpi.h>

#include <span>
#include <string>
#include <vector>

#include "groundswell/quake/domain.hpp"
#include "groundswell/quake/source/options.hpp"
#include "groundswell/quake/source/point/point_source.hpp"
#include "groundswell/quake/source/rupture/spread.hpp"
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
/// all ranks for places outside the mesh and files that are not sound. `file`: of the case. Collective.
AllSources add_sources(MPI_Comm comm, const SourceOptions& options, const std::string& file,
                       const Domain& domain, const AddSources& add);

/// Warns of the source that reaches farthest beyond what the mesh carries at an order. Collective.
void warn_of_short_waves(MPI_Comm comm, const SourceOptions& options, const std::string& file,
                         const Domain& domain, int order, std::span<const SpreadRupture> ruptures);

/// Warns of the first source of which next to nothing comes before `end`, s after the start. Not collective.
void warn_of_late_sources(const SourceOptions& options, const std::string& file,
                          std::span<const SpreadRupture> ruptures, double end);

}  // namespace groundswell::quake
