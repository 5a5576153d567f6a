#pragma once

#include "groundswell/quake/fault/laws/rate_and_state.hpp"

namespace groundswell::quake {

/// The ageing law, dψ/dt = 1 − Vψ/L (J. H. Dieterich 1979, doi:10.1029/JB084iB05p02161; A. Ruina 1983,
/// doi:10.1029/JB088iB12p10359), over a sub-step of constant slip rate. ψ in s.
struct Ageing {
    static constexpr std::string_view name = "ageing";
    static constexpr std::string_view meaning = "rate-and-state friction, ageing law";
    static constexpr std::string_view source =
        "Kaneko, Lapusta & Ampuero 2008, doi:10.1029/2007JB005553, section 2.3";
    static constexpr double cost = 20.0;
    static constexpr std::string_view state_unit = "s";

    enum { direct, evolution, distance, initial, parameters };
    static constexpr std::array at_places{RateAndStateNumbers::direct, RateAndStateNumbers::evolution,
                                          RateAndStateNumbers::distance, RateAndStateNumbers::initial_rate};
    enum { reference_rate, reference_friction, fault_parameters };
    static constexpr std::array of_fault{RateAndStateNumbers::reference_rate,
                                         RateAndStateNumbers::reference_friction};
    static constexpr bool smooths = false;

    /// Fall of friction beyond b, far behind a front: none.
    static double strong_weakening(const StressedPlace&) { return 0.0; }
    template <class Parameter>
    static double initial_rate(const Parameter& parameter) {
        return parameter(initial);
    }
    /// y of RateAndState.
    template <class Parameter>
    static constexpr double exponent(const Parameter& parameter, const double* of_fault, double psi) {
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
    static constexpr double after(const Parameter& parameter, const double*, double psi, double rate,
                                  double seconds) {
        const double x = rate * seconds / parameter(distance);
        // (1 − e⁻ˣ)/x, the mean of what is left of time that passes.
        const double mean = x > 0.0 ? -std::expm1(-x) / x : 1.0;
        return psi * std::exp(-x) + seconds * mean;
    }
};

}  // namespace groundswell::quake
