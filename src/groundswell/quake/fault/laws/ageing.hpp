#pragma once

#include "groundswell/quake/fault/laws/rate_and_state.hpp"

namespace groundswell::quake {

/// The ageing law, dψ/dt = 1 − Vψ/L (J. H. Dieterich 1979, doi:10.1029/JB084iB05p02161; A. Ruina 1983,
/// doi:10.1029/JB088iB12p10359), over a sub-step of constant slip rate. ψ in s.
struct Ageing {
    enum { direct, evolution, distance, initial };
    enum { reference_rate, reference_friction };
    static constexpr bool smooths = false;

    template <class Parameter>
    static double initial_rate(const Parameter& parameter) {
        return parameter(initial);
    }
    /// y of RateAndState.
    template <class Parameter>
    static double exponent(const Parameter& parameter, const double* of_fault, double psi) {
        return (of_fault[reference_friction] +
                parameter(evolution) * std::log(of_fault[reference_rate] * psi / parameter(distance))) /
               parameter(direct);
    }
    /// The state with which friction is `ratio` at the initial slip rate.
    template <class Parameter>
    static double at_rest(const Parameter& parameter, const double* of_fault, double ratio) {
        const double a = parameter(direct), rate = of_fault[reference_rate];
        return parameter(distance) / rate *
               std::exp((a * (std::log(2.0) + log_sinh(ratio / a)) - of_fault[reference_friction] -
                         a * std::log(parameter(initial) / rate)) /
                        parameter(evolution));
    }
    template <class Parameter>
    static double after(const Parameter& parameter, const double*, double psi, double rate, double seconds) {
        const double x = rate * seconds / parameter(distance);
        // (1 − e⁻ˣ)/x, the mean of what is left of time that passes.
        const double mean = x > 0.0 ? -std::expm1(-x) / x : 1.0;
        return psi * std::exp(-x) + seconds * mean;
    }
};

/// The slip law, dψ/dt = −(Vψ/L) ln(Vψ/L) (A. Ruina 1983).
struct SlipLaw : Ageing {
    template <class Parameter>
    static double after(const Parameter& parameter, const double*, double psi, double rate, double seconds) {
        const double slipping = rate / parameter(distance);
        const double left = std::exp(-slipping * seconds);
        return std::exp(left * std::log(slipping * psi)) / slipping;
    }
};

}  // namespace groundswell::quake
