#pragma once

#include <optional>

#include "groundswell/quake/plasticity/options.hpp"
#include "groundswell/simulation/case_file.hpp"

namespace groundswell::quake {

/// The section [plasticity], if the case has one. `has_fault`: whose stress may stand for that of the rock.
std::optional<PlasticityOptions> read_plasticity(const simulation::Section& section, bool has_fault);

}  // namespace groundswell::quake
