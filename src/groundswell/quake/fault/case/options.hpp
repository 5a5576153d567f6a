#pragma once

#include <optional>

#include "groundswell/quake/fault/setup.hpp"
#include "groundswell/simulation/case_file.hpp"

namespace groundswell::quake {

/// The section [fault]; empty where a case has none.
std::optional<FaultOptions> read_fault(const simulation::Section& section);

}  // namespace groundswell::quake
