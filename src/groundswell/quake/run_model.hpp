#pragma once

#include "groundswell/simulation/model.hpp"

namespace groundswell::quake {

/// Elastic waves of earthquakes, as the key `model` of a case knows them.
simulation::ModelKind model_kind();

}  // namespace groundswell::quake
