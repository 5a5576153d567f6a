#pragma once

#include <vector>

#include "groundswell/quake/case.hpp"

namespace groundswell::quake {

/// The entries [[source.point]], with the files of samples that they name. `projection`: of the case, if it has one.
std::vector<SourceSection> read_sources(const simulation::Section& section,
                                        const std::optional<tetra::Projection>& projection);

}  // namespace groundswell::quake
