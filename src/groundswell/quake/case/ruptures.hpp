#pragma once

#include <vector>

#include "groundswell/quake/case.hpp"

namespace groundswell::quake {

/// The entries [[source.rupture]]; the files that they name are read later.
std::vector<RuptureSection> read_ruptures(const simulation::Section& section);

/// The entries [[source.plane]]. `projection`: of the case, if it has one.
std::vector<PlaneSection> read_planes(const simulation::Section& section,
                                      const std::optional<tetra::Projection>& projection);

}  // namespace groundswell::quake
