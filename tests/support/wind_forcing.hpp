#pragma once

#include <mpi.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "groundswell/sea/forcing/file_entry.hpp"
#include "groundswell/sea/forcing/forcing.hpp"
#include "groundswell/sea/forcing/kinds/kinds.hpp"
#include "groundswell/sea/forcing/storm/vortex_entry.hpp"
#include "groundswell/sea/forcing/uniform_entry.hpp"

namespace groundswell::test {

inline std::shared_ptr<const sea::ForcingEntry> entry_of(sea::FileOptions options) {
    return std::make_shared<sea::FileEntry>(std::move(options));
}
inline std::shared_ptr<const sea::ForcingEntry> entry_of(sea::VortexOptions options) {
    return std::make_shared<sea::VortexEntry>(std::move(options));
}
inline std::shared_ptr<const sea::ForcingEntry> uniform(std::vector<double> values) {
    return std::make_shared<sea::UniformEntry>(std::move(values));
}

/// A forcing of wind alone, over owned cells.
class WindForcing {
public:
    WindForcing(MPI_Comm comm, std::string_view case_file, const sea::ForcingEntries& entries,
                std::span<const double> longitude, std::span<const double> latitude, base::Instant start,
                base::Instant end)
        : section_{&sea::wind_kind(), entries},
          forcing_(comm, case_file, {&section_, 1}, {longitude, latitude, longitude.size()}, start, end) {}

    void wind_at(base::Instant time, std::span<sea::Real> eastward, std::span<sea::Real> northward) {
        forcing_.read(time);
        std::ranges::transform(forcing_.cells(), eastward.begin(), &sea::CellForcing::eastward_wind);
        std::ranges::transform(forcing_.cells(), northward.begin(), &sea::CellForcing::northward_wind);
    }
    parallel::ReadCost cost() const { return forcing_.cost(); }

private:
    sea::ForcingSection section_;
    sea::Forcing forcing_;
};

}  // namespace groundswell::test
