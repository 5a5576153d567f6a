#pragma once

#include <string>

#include "groundswell/quake/source/rupture/sub_source.hpp"

namespace groundswell::quake {

/// Reads point sources as SeisSol's source type 50 has them (FSRM: its documentation, "Point source (older
/// implementation)"), to the same effect: the tensor of the file, turned by each point's strike, dip and rake and times
/// its area, is added to the rate of stress, so that the moment is the opposite of it, and a line "velocity" is a force. Places are those of the mesh, in m.
/// Rates go straight from sample to sample and are 0 before and after. `delay` in s is added to all times. base::Refusal,
/// with the line, for what is no such file, and for pressure and fluid.
Rupture read_fsrm(const std::string& path, double delay);

}  // namespace groundswell::quake
