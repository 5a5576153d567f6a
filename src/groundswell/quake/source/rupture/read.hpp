#pragma once

#include "groundswell/quake/source/rupture/options.hpp"
#include "groundswell/quake/source/rupture/sub_source.hpp"

namespace groundswell::quake {

/// Reads the file of an entry [[source.rupture]]. base::Refusal, with the line, for what is none, and without a projection
/// where the file needs it. `file`: of the case. Not collective.
Rupture read_rupture(const std::string& file, const std::optional<tetra::Projection>& projection,
                     const RuptureSection& section);

}  // namespace groundswell::quake
