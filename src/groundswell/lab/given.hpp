#pragma once

#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/lab/simulation.h"
#include "groundswell/simulation/case.hpp"

namespace groundswell::lab {

/// Adds an entry behind those that the case has of each kind of forcing in `names` ("wind ice"), by which the caller's function sets
/// its values. Throws base::Refusal where the case has none of that kind: a model without a current takes other steps.
void give_forcing(simulation::Case& run, const std::string& names, const gs_simulation_hooks& hooks);

/// Throws what a function of the caller wrote into `problem`, as a failure of this rank.
template <class Function, class... Arguments>
void call_back(Function* function, void* context, Arguments... arguments) {
    char problem[2000] = "";
    if (function(context, arguments..., problem, sizeof(problem) - 1) != 0) throw base::RunFailure(problem);
}

/// Puts the caller's function, if it has one, in the place of the friction of the case's law. Throws base::Refusal where the case has no
/// fault with a law whose friction may be given.
void give_friction(simulation::Case& run, const gs_simulation_hooks& hooks);

}  // namespace groundswell::lab
