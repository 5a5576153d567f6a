#pragma once

#include <gtest/gtest.h>

#include <string>

#include "groundswell/sea/propagation/propagator.hpp"

/// Forms of propagation that have to keep the same promises.
namespace groundswell::sea::test {

inline PropagationOptions scheme_with(PropagationScheme scheme, double swell_age) {
    PropagationOptions options;
    options.scheme = scheme;
    options.swell_age = swell_age;
    return options;
}

/// The last one: bins that spread as much as they can.
inline const auto all_schemes = testing::Values(scheme_with(PropagationScheme::upwind, 0.0),
                                                scheme_with(PropagationScheme::second_order, 0.0),
                                                scheme_with(PropagationScheme::second_order, 40 * 86400.0));

inline std::string name_of_scheme(const testing::TestParamInfo<PropagationOptions>& info) {
    if (info.param.scheme == PropagationScheme::upwind) return "upwind";
    return info.param.swell_age > 0.0 ? "spreading" : "second_order";
}

}  // namespace groundswell::sea::test
