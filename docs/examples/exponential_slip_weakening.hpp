#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "groundswell/quake/fault/laws/law.hpp"

namespace groundswell::quake {

/// Friction that falls with slip as an exponential, by 95 % of its fall over the slip distance D_c:
/// μ = μ_d + (μ_s − μ_d) exp(−3 S / D_c), as in experiments at high slip rates (Mizoguchi et al. 2007,
/// doi:10.1029/2006GL027931, there with ln 0.05 in place of −3).
struct ExponentialSlipWeakening {
    static constexpr std::string_view name = "exponential-slip-weakening";
    static constexpr std::string_view meaning = "friction falls with slip as an exponential";
    static constexpr std::string_view source = "Mizoguchi et al. 2007, doi:10.1029/2006GL027931";
    static constexpr double cost = 2.0;
    static constexpr std::string_view state_unit = "";
    static constexpr bool sticks = true;
    static constexpr std::string_view weakens_where = "dynamic_friction below static_friction";

    enum { static_friction, dynamic_friction, slip_distance, parameters };
    static constexpr std::array at_places{
        LawParameter{"static_friction", "friction before slip", "1", {}, 0.0, 1e30, 0.55},
        LawParameter{"dynamic_friction", "friction after much slip", "1", {}, 0.0, 1e30, 0.525},
        LawParameter{"slip_distance", "slip over which friction falls by 95 %", "m", {}, 1e-30, 1e30, 0.4}};
    enum { fault_parameters };
    static constexpr std::array<LawParameter, 0> of_fault{};
    enum { weakening_slip = fault_states, end_of_states };

    template <class Value>
    static Value strength(const PointNumbers<Value>&, const PointNumbers<Value>& state,
                          const Value& pressure) {
        return state[friction] * pressure;
    }
    static Weakening weakening(const StressedPlace& at) {
        const double before = at.parameter[static_friction], after = at.parameter[dynamic_friction];
        return {before * at.pressure(), after * at.pressure(), at.parameter[slip_distance], before > after};
    }
    static bool forced(const PointNumbers<double>&) { return false; }
    static std::optional<Objection> objection(const StressedPlace& at) {
        const double before = at.parameter[static_friction];
        if (before >= at.parameter[dynamic_friction]) return std::nullopt;
        return Objection{"static_friction", before, "at least dynamic_friction"};
    }

    template <class Value>
    static void start(const Slipping<Value>& s) {
        for (int p = 0; p < s.points; ++p)
            s.state[friction * s.points + p] = s.parameters(p)[static_friction];
    }
    template <class Value>
    static void slip(const Slipping<Value>& s) {
        for (int p = 0; p < s.points; ++p) {
            const Value excess = s.shear[p] - strength(s.parameters(p), s.states(p), s.pressure(p));
            s.rate[p] = greater(Value(excess * s.per_eta), Value{});
        }
        smooth(s, s.rate, s.scratch);
        for (int p = 0; p < s.points; ++p) {
            const auto parameter = s.parameters(p);
            Value& slipped = s.state[weakening_slip * s.points + p];
            slipped = greater(Value(slipped + s.scratch[p] * s.length), Value{});
            const Value left = exponential(Value(-3.0 * slipped / parameter[slip_distance]));
            s.state[friction * s.points + p] =
                parameter[dynamic_friction] +
                (parameter[static_friction] - parameter[dynamic_friction]) * left;
        }
    }
};

}  // namespace groundswell::quake
