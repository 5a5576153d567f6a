#pragma once

#include <vector>

#include "groundswell/quake/case.hpp"

namespace groundswell::quake {

/// The entries [[source.point]], with the files of samples that they name.
std::vector<SourceSection> read_sources(const simulation::Section& section);

}  // namespace groundswell::quake
