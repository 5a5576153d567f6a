#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "groundswell/quake/domain.hpp"
#include "groundswell/quake/source/rupture/sub_source.hpp"

namespace groundswell::quake {

/// Totals of a rupture.
struct RuptureFacts {
    std::int64_t parts = 0, silent = 0;  ///< that act, and that do not
    Times times;
    Extent extent;
    double highest_frequency = 0.0;  ///< Hz, below which 99 % of the energy lies of the pulse that slips most
};
struct SpreadRupture : RuptureFacts {
    std::string name;  ///< of its entry, for people
};

/// Lets the sources of one place act in an owned cell, at that place in its coordinates.
using AddSources = std::function<void(std::int32_t cell, const tetra::Point& reference,
                                      std::span<const PointSource> sources)>;

/// Makes a rupture on rank 0 (`make`), and gives each rank the sub-sources in its own cells, in one order on any ranks. No
/// rank but that one ever has them all in memory, and that one only in here. base::Refusal on all ranks for what `make`
/// refuses and for places outside the mesh; `name`: of the entry, `file`: what the parts are lines of. Collective.
SpreadRupture spread(MPI_Comm comm, const Domain& domain, const std::string& name, const std::string& file,
                     const std::function<Rupture()>& make, const AddSources& add);

}  // namespace groundswell::quake
