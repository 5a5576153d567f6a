#pragma once

#include <optional>
#include <string>

#include "groundswell/simulation/case_file.hpp"

namespace groundswell::quake {

/// The section [absorbing_layer] of a case: rock beside the absorbing boundary in which waves fade.
struct LayerOptions {
    double thickness = 0.0;  ///< m
    /// The logarithm of what an S wave loses that comes in at a right angle, until it is at the boundary.
    double strength = 0.0;
    std::string stated_at;  ///< in the case, FILE:LINE
};

/// The section [absorbing_layer], if the case has one.
std::optional<LayerOptions> read_layer(const simulation::Section& section);

}  // namespace groundswell::quake
