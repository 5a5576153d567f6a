#pragma once

#include "groundswell/lab/simulation.h"
#include "groundswell/simulation/case.hpp"

namespace groundswell::lab {

/// Puts the caller's function, if it has one, in the place of the friction of the case's law. Throws base::Refusal where the case has no
/// fault with a law whose friction may be given.
void give_friction(simulation::Case& run, const gs_simulation_hooks& hooks);

}  // namespace groundswell::lab
