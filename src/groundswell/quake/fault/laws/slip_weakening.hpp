#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "groundswell/quake/fault/laws/law.hpp"

namespace groundswell::quake {

/// Friction that falls with slip from one value to another, and with time where rupture is forced, as the community's benchmarks
/// have it. `Curve` says which share of the fall is done after a slip.
///
/// The strength in a sub-step is that which slip has left before. Slip that weakens is integrated from the slip rate's
/// projection onto the scheme's polynomials on the face, so that no point runs away from its neighbours.
template <class Curve>
struct SlipWeakening : Curve {
    static constexpr double cost = Curve::cost;
    static constexpr std::string_view state_unit = "";
    static constexpr bool sticks = true;
    static constexpr std::string_view weakens_where = "dynamic_friction below static_friction";

    enum { static_friction, dynamic_friction, slip_distance, cohesion, forced_time, parameters };
    static constexpr double no_limit = 1e30, never = std::numeric_limits<double>::infinity();
    // A fault that slips: the community's problem TPV5.
    static constexpr std::array at_places{
        LawParameter{"static_friction", "friction before slip", "1", {}, 0.0, no_limit, 0.55},
        LawParameter{"dynamic_friction", "friction after the slip distance", "1", {}, 0.0, no_limit, 0.525},
        LawParameter{"slip_distance", "slip over which friction weakens, D_c", "m", {}, 1e-30, no_limit, 0.4},
        LawParameter{"cohesion", "strength without normal stress; positive", "Pa", 0.0, 0.0, no_limit, 0.0,
                     "it adds to the strength (SeisSol's files have it negative)"},
        LawParameter{"forced_rupture_time", "when friction begins to fall there in any case; never if absent",
                     "s", never, 0.0, never, never}};
    enum {
        forced_duration,
        healing_rate,
        of_curve,
        fault_parameters = of_curve + static_cast<int>(Curve::numbers.size())
    };
    static constexpr auto of_fault = with_own(
        std::array{LawParameter{"forced_rupture_duration",
                                "over which friction falls where rupture is forced", "s", 0.0, 0.0, 1e6, 0.0},
                   LawParameter{"healing_slip_rate",
                                "where slip has been faster and becomes slower than this, friction is as "
                                "before slip again, and falls anew with further slip; 0: it does not heal",
                                "m s-1", 0.0, 0.0, 1e3, 0.0}},
        Curve::numbers);
    enum { weakening_slip = fault_states, end_of_states };
    /// Number that a function keeps which gives the friction.
    static constexpr int given_state = end_of_states;

    template <class Value>
    static constexpr Value strength(const PointNumbers<Value>& parameter, const PointNumbers<Value>& state,
                                    const Value& pressure) {
        return parameter[cohesion] + state[friction] * pressure;
    }
    static Weakening weakening(const StressedPlace& at) {
        const double before = at.parameter[static_friction] * at.pressure();
        const double after = at.parameter[dynamic_friction] * at.pressure();
        return {at.parameter[cohesion] + before, at.parameter[cohesion] + after,
                Curve::steepest * at.parameter[slip_distance], before > after};
    }
    static double left_to_weaken(const PointNumbers<double>& parameter, const PointNumbers<double>& state,
                                 const double*) {
        return parameter[slip_distance] - std::abs(state[weakening_slip]);
    }
    static bool forced(const PointNumbers<double>& parameter) {
        return parameter[forced_time] < never_ruptured;
    }
    static std::optional<Objection> objection(const StressedPlace& at) {
        const double first = at.parameter[static_friction], last = at.parameter[dynamic_friction];
        if (first >= last) return std::nullopt;
        return Objection{"static_friction", first, "at least dynamic_friction, which is {}", "", last};
    }

    /// `rate`: that weakens.
    template <class Points>
    static constexpr void weaken(const Points& s, const typename Points::Number* rate) {
        using Value = typename Points::Number;
        const Value zero{}, one = zero + 1.0, now = zero + (s.time + s.length);
        const double duration = s.of_fault[forced_duration], heals = s.of_fault[healing_rate];
        s.for_each_point([&](int p) {
            Value& slip = s.state[weakening_slip * s.points + p];
            slip += rate[p] * s.length;
            if (s.scheme.negative_slip == NegativeSlip::dropped) slip = greater(slip, zero);
            const Value size = greater(slip, Value(-slip));
            Value weakened =
                Curve::fallen(Value(size / s.parameter[slip_distance * s.points + p]), s.of_fault + of_curve);
            const Value late = now - s.parameter[forced_time * s.points + p];
            const Value forced = duration > 0.0 ? lesser(greater(Value(late / duration), zero), one)
                                                : (late >= zero ? one : zero);
            weakened = greater(weakened, forced);
            if (heals > 0.0) {
                const Value limit = zero + heals;
                const Value healed = s.rate[p] < limit ? one : zero;
                const Value before = s.state[peak_rate * s.points + p] > limit ? healed : zero;
                weakened = before > zero ? zero : weakened;
                slip = before > zero ? zero : slip;
            }
            const Value first = s.parameter[static_friction * s.points + p];
            const Value fall = first - s.parameter[dynamic_friction * s.points + p];
            s.state[friction * s.points + p] = first - fall * weakened;
        });
    }

    template <class Value>
    static void start(const Slipping<Value>& s) {
        for (int p = 0; p < s.points; ++p)
            s.state[friction * s.points + p] = s.parameter[static_friction * s.points + p];
    }

    template <class Points>
    static constexpr void slip(const Points& s) {
        using Value = typename Points::Number;
        s.for_each_point([&](int p) {
            const Value bears = strength(s.parameters(p), s.states(p), s.pressure(p));
            s.rate[p] = greater(Value((s.shear[p] - bears) * s.per_impedance(p)), Value{});
        });
        smooth(s, s.rate, [&](int p, const Value& smoothed) { s.scratch[p] = smoothed; });
        weaken(s, s.scratch);
        if constexpr (requires { s.given; }) ask(s);
    }

private:
    // The function that gives the friction, where there is one.
    template <class Value>
    static void ask(const Slipping<Value>& s) {
        if (s.given == nullptr) return;
        const auto numbers = [](auto* values) {
            using Number = std::conditional_t<std::is_const_v<std::remove_pointer_t<decltype(values)>>,
                                              const double, double>;
            return reinterpret_cast<Number*>(values);
        };
        s.given->change({s.points * static_cast<int>(lanes_in<Value>()), s.time + s.length, s.length,
                         numbers(s.place), numbers(s.state + weakening_slip * s.points), numbers(s.scratch),
                         numbers(s.normal), numbers(s.parameter), numbers(s.state + given_state * s.points),
                         numbers(s.state + friction * s.points)});
    }
};

}  // namespace groundswell::quake
