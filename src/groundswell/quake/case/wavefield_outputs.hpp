#pragma once

#include "groundswell/quake/case.hpp"
#include "groundswell/simulation/case.hpp"

namespace groundswell::quake {

/// An entry [[output.surface]].
SurfaceSection read_surface(const simulation::Section& entry, simulation::StreamNames& names);

/// An entry [[output.volume]].
VolumeSection read_volume(const simulation::Section& entry, simulation::StreamNames& names);

}  // namespace groundswell::quake
