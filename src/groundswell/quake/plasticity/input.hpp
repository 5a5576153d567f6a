#pragma once

#include "groundswell/quake/fault/setup.hpp"
#include "groundswell/quake/plasticity/options.hpp"
#include "groundswell/quake/plasticity/plasticity.hpp"

namespace groundswell::quake {

/// Plastic rock of a case, for its kernels. `fault`: whose stress it is under where the options have none;
/// both outlive what is returned.
PlasticityInput plasticity_input(const PlasticityOptions& options, const FaultOptions* fault);

}  // namespace groundswell::quake
