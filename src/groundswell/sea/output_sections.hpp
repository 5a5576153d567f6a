#pragma once

#include "groundswell/sea/case.hpp"

namespace groundswell::sea {

/// Reads an entry [[output.points]]. `has_sources`: the case has source terms. Throws base::Refusal.
PointsSection read_points(const simulation::Section& entry, simulation::StreamNames& names, bool has_sources);
/// Reads an entry [[output.grid]]. Throws base::Refusal.
GridSection read_grid(const simulation::Section& entry, simulation::StreamNames& names);

}  // namespace groundswell::sea
