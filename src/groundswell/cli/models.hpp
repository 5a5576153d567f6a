#pragma once

#include <vector>

#include "groundswell/simulation/model.hpp"

namespace groundswell::cli {

/// The models of this program, groundswell_models of CMakeLists.txt; a case without the key `model` is one of the first.
const std::vector<simulation::ModelKind>& models();

}  // namespace groundswell::cli
