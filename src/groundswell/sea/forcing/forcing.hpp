#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/exec/real.hpp"
#include "groundswell/sea/forcing/options.hpp"
#include "groundswell/sea/forcing/wind_layer.hpp"

namespace groundswell::sea {

/// The wind over the cells that one rank owns.
///
/// Each rank reads for itself, no more than two times of the part of a file that its cells need. Nothing here
/// is collective, and a refusal may concern one rank only: construct inside parallel::agree.
class Forcing {
public:
    /// `longitude`, `latitude`: [owned] rad, of cell centres; any number of cells, none included.
    /// Checks everything that the period needs: throws base::Refusal naming file, variable or line, what was
    /// found and what was expected. `case_file` names the case in messages about the entries themselves.
    Forcing(std::string_view case_file, std::span<const WindOptions> entries,
            std::span<const double> longitude, std::span<const double> latitude, base::Instant start,
            base::Instant end);

    /// 10 m wind at a time of the period, [owned] m s⁻¹ towards east and north. Times may come in any order,
    /// but each file is read once only when they do not go back. Throws base::RunFailure when a file can no
    /// longer be read or holds a bad value that was not checked before.
    void wind_at(base::Instant time, std::span<exec::Real> eastward, std::span<exec::Real> northward);

private:
    std::vector<std::unique_ptr<WindLayer>> layers_;
    std::vector<double> eastward_, northward_;  // [owned] m s⁻¹, scratch
};

}  // namespace groundswell::sea
