#pragma once

#include <type_traits>

#include "groundswell/quake/acoustic.hpp"
#include "groundswell/quake/device/predict.hpp"
#include "groundswell/quake/device/remember.hpp"
#include "groundswell/quake/viscoelastic.hpp"

namespace groundswell::quake {

/// The predictor of an equation.
template <class Equation, class Real, int order>
using Predictor =
    std::conditional_t<Equation::remembers, PredictWithMemoryOnDevice<Viscoelastic, Real, order>,
                       PredictOnDevice<Equation, Real, order>>;

/// Water in batches of so many elements, beside rock that has its own.
template <int lanes_of_rock>
struct WaterInBatches : Acoustic {
    static constexpr int lanes = lanes_of_rock;
};
template <class Rock, class Real, int order>
using WaterBeside = WaterInBatches<DeviceSizes<Rock, Real, order>::lanes>;

}  // namespace groundswell::quake
