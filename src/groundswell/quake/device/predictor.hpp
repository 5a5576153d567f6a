#pragma once

#include <type_traits>

#include "groundswell/quake/device/predict.hpp"
#include "groundswell/quake/device/remember.hpp"
#include "groundswell/quake/elastic.hpp"
#include "groundswell/quake/viscoelastic.hpp"

namespace groundswell::quake {

/// The predictor of an equation.
template <class Equation, class Real, int order>
using Predictor =
    std::conditional_t<Equation::remembers, PredictWithMemoryOnDevice<Viscoelastic, Real, order>,
                       PredictOnDevice<Elastic, Real, order>>;

}  // namespace groundswell::quake
