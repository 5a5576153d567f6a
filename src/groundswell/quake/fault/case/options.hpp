#pragma once

#include <optional>

#include "groundswell/quake/fault/setup.hpp"
#include "groundswell/simulation/case_file.hpp"

namespace groundswell::quake {

/// The section [fault]; empty where a case has none.
std::optional<FaultOptions> read_fault(const simulation::Section& section);

/// One table [[fault.set]], for a law.
FaultEntry read_fault_entry(const simulation::Section& entry, const LawDescription& law);

}  // namespace groundswell::quake
