#pragma once

#include "groundswell/simulation/model.hpp"

namespace groundswell::sea {

/// The spectral wave model, for the list of models that a program knows.
simulation::ModelKind model_kind();

}  // namespace groundswell::sea
