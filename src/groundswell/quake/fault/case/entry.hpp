#pragma once

#include "groundswell/quake/fault/setup.hpp"
#include "groundswell/simulation/case_file.hpp"

namespace groundswell::quake {

/// One table [[fault.set]], for a law.
FaultEntry read_fault_entry(const simulation::Section& entry, const LawDescription& law);

}  // namespace groundswell::quake
