#pragma once

#include <mpi.h>

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/read_cost.hpp"
#include "groundswell/sea/real.hpp"
#include "groundswell/sea/wind/options.hpp"
#include "groundswell/sea/wind/wind_layer.hpp"

namespace groundswell::sea {

/// The wind over the cells that one rank owns.
///
/// Files are read by groups of at most eight ranks of a host, each rank a band of whole rows, for no more
/// than two times at once; what a rank reads, sends and holds follows from the cells of its group.
class Forcing {
public:
    /// `longitude`, `latitude`: [owned] rad, of cell centres; any number of cells, none included.
    /// Checks everything that the period needs: throws base::Refusal on all ranks naming file, variable or
    /// line, what was found and what was expected. `case_file` names the case in messages about the entries
    /// themselves. Collective.
    Forcing(MPI_Comm comm, std::string_view case_file, std::span<const WindOptions> entries,
            std::span<const double> longitude, std::span<const double> latitude, base::Instant start,
            base::Instant end);

    /// 10 m wind at a time of the period, [owned] m s⁻¹ towards east and north. Times may come in any order,
    /// the same on all ranks, but each file is read once only when they do not go back. Throws
    /// base::RunFailure when a file can no longer be read or holds a bad value that was not checked before:
    /// on all ranks of one or more groups, so the caller lets all ranks agree. Collective.
    void wind_at(base::Instant time, std::span<Real> eastward, std::span<Real> northward);

    /// What reading has cost this rank so far.
    parallel::ReadCost cost() const;

private:
    parallel::Communicator group_;  // of ranks that read together
    std::vector<std::unique_ptr<WindLayer>> layers_;
    std::vector<double> eastward_, northward_;  // [owned] m s⁻¹, scratch
};

}  // namespace groundswell::sea
