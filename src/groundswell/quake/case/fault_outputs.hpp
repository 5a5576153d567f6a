#pragma once

#include <optional>

#include "groundswell/quake/case.hpp"

namespace groundswell::simulation {
class StreamNames;
}

namespace groundswell::quake {

/// An entry [[output.fault]], and one [[output.fault_receivers]].
FaultMapSection read_fault_map(const simulation::Section& entry, simulation::StreamNames& names);
FaultReceiversSection read_fault_receivers(const simulation::Section& entry, simulation::StreamNames& names,
                                           const std::optional<tetra::Projection>& projection);

}  // namespace groundswell::quake
