#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "groundswell/quake/fault/laws/law.hpp"

namespace groundswell::quake {

/// Friction that falls with the slip rate, after a delay, and recovers when slip slows down: μ = μ_s + a V/(V + V_c) −
/// b ψ/(ψ + L), dψ/dt = V − ψ V_c/L (J.-P. Ampuero and Y. Ben-Zion 2008, doi:10.1111/j.1365-246X.2008.03736.x, equations 1
/// and 2, with the delay L/V_c). From falling with slip, where V_c is small, it goes to falling with the slip rate at once.
///
/// The state of a sub-step is that which the one before has left; the slip rate is then the root of a quadratic.
struct VelocityWeakening {
    static constexpr std::string_view name = "velocity-weakening";
    static constexpr std::string_view meaning = "friction falls with the slip rate, after a delay, and heals";
    static constexpr std::string_view source =
        "Ampuero & Ben-Zion 2008, doi:10.1111/j.1365-246X.2008.03736.x";
    static constexpr double cost = 2.5;
    static constexpr std::string_view state_unit = "m";
    static constexpr bool sticks = true;
    static constexpr std::string_view weakens_where = "a below b";

    enum { static_friction, direct, evolution, distance, parameters };
    static constexpr std::array at_places{
        LawParameter{"static_friction", "friction before slip", "1", {}, 0.0, 1e30, 0.55},
        LawParameter{"a", "how friction answers a change of slip rate at once", "1", {}, 0.0, 10.0, 0.01},
        LawParameter{"b", "how it answers in the end", "1", {}, 0.0, 10.0, 0.05},
        LawParameter{"state_distance", "slip over which the state evolves, L", "m", {}, 1e-30, 1e30, 0.4}};
    enum { rate_of_healing, fault_parameters };
    static constexpr std::array of_fault{
        LawParameter{"healing_velocity",
                     "slip rate V_c at which half of a is felt; the state fades within L/V_c",
                     "m s-1",
                     {},
                     1e-30,
                     1e3,
                     0.1}};
    enum { state_variable = fault_states, end_of_states };

    template <class Value>
    static Value strength(const PointNumbers<Value>&, const PointNumbers<Value>& state,
                          const Value& pressure) {
        return state[friction] * pressure;
    }
    static Weakening weakening(const StressedPlace& at) {
        const double before = at.parameter[static_friction], b = at.parameter[evolution];
        const double after = before + at.parameter[direct] - b;
        return {before * at.pressure(), std::max(after, 0.0) * at.pressure(), at.parameter[distance],
                after < before};
    }
    static bool forced(const PointNumbers<double>&) { return false; }
    static std::optional<Objection> objection(const StressedPlace& at) {
        const double fall = at.parameter[evolution];
        if (fall <= at.parameter[static_friction]) return std::nullopt;
        return Objection{"b", fall, "at most static_friction: friction would become negative"};
    }

    template <class Value>
    static void start(const Slipping<Value>& s) {
        for (int p = 0; p < s.points; ++p)
            s.state[friction * s.points + p] = s.parameters(p)[static_friction];
    }
    template <class Points>
    static constexpr void slip(const Points& s) {
        using Value = typename Points::Number;
        const double slow = s.of_fault[rate_of_healing];
        const Value zero{};
        s.for_each_point([&](int p) {
            const auto parameter = s.parameters(p);
            const Value state = s.states(p)[state_variable], pressure = s.pressure(p);
            const Value still =
                parameter[static_friction] - parameter[evolution] * state / (state + parameter[distance]);
            // η V + σ a V/(V + V_c) = |τ| − σ μ(0).
            const Value excess = greater(Value(s.shear[p] - still * pressure), zero);
            const Value eta = s.impedance(p);
            const Value linear = eta * slow + pressure * parameter[direct] - excess;
            s.rate[p] = 0.5 * s.per_impedance(p) *
                        (root(Value(linear * linear + 4.0 * slow * eta * excess)) - linear);
        });
        smooth(s, s.rate, [&](int p, const Value& smoothed) { s.scratch[p] = smoothed; });
        s.for_each_point([&](int p) {
            const auto parameter = s.parameters(p);
            const Value delay = parameter[distance] / slow;
            const Value left = exponential(Value(-s.length / delay));
            Value& state = s.state[state_variable * s.points + p];
            state = greater(Value(state * left + s.scratch[p] * delay * (1.0 - left)), zero);
            s.state[friction * s.points + p] = parameter[static_friction] +
                                               parameter[direct] * s.rate[p] / (s.rate[p] + slow) -
                                               parameter[evolution] * state / (state + parameter[distance]);
        });
    }
};

}  // namespace groundswell::quake
