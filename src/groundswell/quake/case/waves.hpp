#pragma once

#include <vector>

#include "groundswell/quake/case.hpp"

namespace groundswell::quake {

/// The entries [[initial.wave]].
std::vector<WaveSection> read_waves(const simulation::Section& section);

}  // namespace groundswell::quake
