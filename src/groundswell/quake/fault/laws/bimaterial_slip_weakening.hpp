#pragma once

#include "groundswell/quake/fault/laws/linear_slip_weakening.hpp"

namespace groundswell::quake {

/// Friction that falls linearly with slip, and a strength that follows changes of the normal stress with a delay, without
/// which rupture between two materials has no solution (A. M. Rubin and J.-P. Ampuero 2007, doi:10.1029/2006JB004674,
/// equation 2, after V. Prakash and R. J. Clifton 1993). Each point weakens by its own slip.
struct BimaterialSlipWeakening : LinearSlipWeakening {
    static constexpr std::string_view name = "linear-slip-weakening-bimaterial";
    static constexpr std::string_view meaning =
        "the same, and strength follows a change of normal stress with a delay";
    static constexpr std::string_view source =
        "Prakash & Clifton 1993; Rubin & Ampuero 2007, doi:10.1029/2006JB004674, equation 2";

    enum {
        regularisation_velocity = LinearSlipWeakening::fault_parameters,
        regularisation_length,
        fault_parameters
    };
    static constexpr auto of_fault =
        with_own(LinearSlipWeakening::of_fault,
                 std::array{LawParameter{"regularisation_velocity", "slip rate that shortens the delay, V*",
                                         "m s-1", 1.0, 0.0, no_limit, 1.0},
                            LawParameter{"regularisation_length", "slip over which strength follows, L", "m",
                                         0.01, 1e-30, no_limit, 0.01}});
    enum { delayed_strength = LinearSlipWeakening::end_of_states, end_of_states };

    template <class Value>
    static constexpr Value strength(const PointNumbers<Value>&, const PointNumbers<Value>& state,
                                    const Value&) {
        return state[delayed_strength];
    }
    /// Towards which the strength goes.
    template <class Points>
    static constexpr typename Points::Number undelayed(const Points& s, int p) {
        return LinearSlipWeakening::strength(s.parameters(p), s.states(p), s.pressure(p));
    }

    template <class Value>
    static void start(const Slipping<Value>& s) {
        LinearSlipWeakening::start(s);
        for (int p = 0; p < s.points; ++p) s.state[delayed_strength * s.points + p] = undelayed(s, p);
    }

    template <class Points>
    static constexpr void slip(const Points& s) {
        using Value = typename Points::Number;
        const double velocity = s.of_fault[regularisation_velocity];
        const double length = s.of_fault[regularisation_length];
        s.for_each_point([&](int p) {
            const Value along = s.state[rate_strike * s.points + p], down = s.state[rate_dip * s.points + p];
            const Value before = root(Value(along * along + down * down));
            const Value left = exponential(Value(-(before + velocity) * (s.length / length)));
            Value& delayed = s.state[delayed_strength * s.points + p];
            delayed = delayed * left + undelayed(s, p) * (1.0 - left);
            s.rate[p] = greater(Value((s.shear[p] - delayed) * s.per_impedance(p)), Value{});
        });
        weaken(s, s.rate);
    }
};

}  // namespace groundswell::quake
