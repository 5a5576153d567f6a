#pragma once

#include "groundswell/quake/case.hpp"
#include "groundswell/quake/source/rupture/sub_source.hpp"

namespace groundswell::quake {

/// Reads the file of an entry [[source.rupture]]. base::Refusal, with the line, for what is none, and without a projection
/// where the file needs it. Not collective.
Rupture read_rupture(const Case& run, const RuptureSection& section);

}  // namespace groundswell::quake
