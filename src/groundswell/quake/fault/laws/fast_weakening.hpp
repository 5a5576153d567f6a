#pragma once

#include "groundswell/quake/fault/laws/rate_and_state.hpp"

namespace groundswell::quake {

/// The slip law with friction that falls far at high slip rates (E. M. Dunham, D. Belanger, L. Cong and J. E. Kozdon 2011,
/// doi:10.1785/0120100075, equations 7 to 10). ψ has no unit. What the state changes by is projected onto the scheme's
/// polynomials on the face.
struct FastWeakening {
    static constexpr std::string_view name = "fast-weakening";
    static constexpr std::string_view meaning =
        "rate-and-state friction, slip law, strongly weakening at high slip rates";
    static constexpr std::string_view source = "Dunham et al. 2011, doi:10.1785/0120100075";
    static constexpr double cost = 27.0;
    static constexpr std::string_view state_unit = "1";

    enum { direct, evolution, distance, weakening_rate, weakened, initial, parameters };
    static constexpr std::array at_places{
        RateAndStateNumbers::direct,
        RateAndStateNumbers::evolution,
        RateAndStateNumbers::distance,
        LawParameter{
            "weakening_slip_rate", "above which friction falls far, V_w", "m s-1", {}, 1e-12, 1e3, 0.1},
        LawParameter{"weakened_friction", "that is left then, f_w", "1", {}, 0.0, 10.0, 0.2},
        RateAndStateNumbers::initial_rate};
    enum { reference_rate, reference_friction, fault_parameters };
    static constexpr std::array of_fault{RateAndStateNumbers::reference_rate,
                                         RateAndStateNumbers::reference_friction};
    static constexpr bool smooths = true;

    /// Fall of friction far behind a front.
    static double strong_weakening(const StressedPlace& at) {
        return at.shear / std::max(at.pressure(), 1.0) - at.parameter[weakened];
    }
    /// All but a twentieth of the fall from the friction of slow slip, once a front has passed.
    static double left_to_weaken(const PointNumbers<double>& parameter, const PointNumbers<double>& state,
                                 const double* of_fault) {
        if (state[rupture_time] >= never_ruptured) return 1.0;
        const double fall = of_fault[reference_friction] - parameter[weakened];
        return state[friction] - (parameter[weakened] + 0.05 * fall);
    }
    template <class Parameter>
    static double initial_rate(const Parameter& parameter) {
        return parameter(initial);
    }
    template <class Parameter>
    static constexpr double exponent(const Parameter& parameter, const double*, double psi) {
        return psi / parameter(direct);
    }
    template <class Parameter>
    static double at_rest(const Parameter& parameter, const double* of_fault, double ratio) {
        const double a = parameter(direct);
        return a * (std::log(2.0 * of_fault[reference_rate] / parameter(initial)) + log_sinh(ratio / a));
    }
    /// The state that steady slip keeps.
    template <class Parameter>
    static constexpr double steady(const Parameter& parameter, const double* of_fault, double rate) {
        const double a = parameter(direct), reference = of_fault[reference_rate];
        const double slow = std::max(
            0.0, of_fault[reference_friction] - (parameter(evolution) - a) * std::log(rate / reference));
        const double fast = std::pow(1.0 + std::pow(rate / parameter(weakening_rate), 8.0), 0.125);
        const double friction = parameter(weakened) + (slow - parameter(weakened)) / fast;
        return a * (std::log(2.0 * reference / rate) + log_sinh(friction / a));
    }
    template <class Parameter>
    static constexpr double after(const Parameter& parameter, const double* of_fault, double psi, double rate,
                                  double seconds) {
        const double target = steady(parameter, of_fault, rate);
        return target + (psi - target) * std::exp(-rate * seconds / parameter(distance));
    }
};

}  // namespace groundswell::quake
