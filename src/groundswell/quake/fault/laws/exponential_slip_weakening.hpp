#pragma once

#include "groundswell/quake/fault/laws/slip_weakening.hpp"

namespace groundswell::quake {

/// Friction that falls with slip as an exponential, by 95 % of its fall over the slip distance, as in experiments at high slip
/// rates: μ = μ_d + (μ_s − μ_d) exp(ln 0.05 S / D_c) (K. Mizoguchi, T. Hirose, T. Shimamoto and E. Fukuyama 2007,
/// doi:10.1029/2006GL027931).
struct ExponentialFall {
    static constexpr std::string_view name = "exponential-slip-weakening";
    static constexpr std::string_view meaning =
        "friction falls with slip as an exponential, by 95 % over the slip distance";
    static constexpr std::string_view source = "Mizoguchi et al. 2007, doi:10.1029/2006GL027931";
    static constexpr double cost = 2.5;
    static constexpr std::array<LawParameter, 0> numbers{};
    static constexpr double log_of_rest = -2.995732273553991;  // ln 0.05
    static constexpr double steepest = -1.0 / log_of_rest;

    template <class Value>
    static constexpr Value fallen(const Value& slip, const double*) {
        return 1.0 - exponential(Value(log_of_rest * slip));
    }
};
using ExponentialSlipWeakening = SlipWeakening<ExponentialFall>;

}  // namespace groundswell::quake
