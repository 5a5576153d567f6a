#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "groundswell/quake/fault/laws/law.hpp"

namespace groundswell::quake {

/// Slip that is given, not found: at each place so much of it along strike and dip, from a time on, and `Growth` says which share
/// is done so long after. Stress has no say; what friction would have to be for that slip is the traction that is left.
///
/// The slip rate of a sub-step is the mean over it, so that the slip after a step is what the case says, however long the step.
template <class Growth>
struct ImposedSlip : Growth {
    static constexpr double cost = 2.0;
    static constexpr std::string_view state_unit = "";
    static constexpr bool sticks = false;
    static constexpr bool imposes = true;
    static constexpr std::string_view weakens_where = "slip";

    enum { along_strike, along_dip, onset, of_growth };
    static constexpr int parameters = of_growth + static_cast<int>(Growth::numbers.size());
    static constexpr double most = 1e6;
    static constexpr auto at_places = with_own(
        std::array{
            LawParameter{"slip_along_strike", "slip in the end, of the − side past the + side, along strike",
                         "m", 0.0, -most, most, 1.0},
            LawParameter{"slip_along_dip", "the same along dip, downwards", "m", 0.0, -most, most, 0.0},
            LawParameter{"slip_onset", "when slip begins there", "s", 0.0, 0.0, 1e9, 0.0}},
        Growth::numbers);
    enum { fault_parameters };
    static constexpr std::array<LawParameter, 0> of_fault{};
    enum { end_of_states = fault_states };

    template <class Value>
    static Value strength(const PointNumbers<Value>&, const PointNumbers<Value>& state,
                          const Value& pressure) {
        return state[friction] * pressure;
    }
    static Weakening weakening(const StressedPlace&) { return {0.0, 0.0, 1.0, true}; }
    static bool forced(const PointNumbers<double>&) { return true; }
    static std::optional<Objection> objection(const StressedPlace&) { return std::nullopt; }

    /// m, along strike and dip, until a time.
    static constexpr std::array<double, 2> slip_until(const PointNumbers<double>& parameter, double time,
                                                      const SlipSeries* series) {
        const double late = time - parameter[onset];
        if constexpr (chooses_series<Growth>) {
            return Growth::slip(parameter, late, series);
        } else {
            const double share = Growth::grown(late, {&parameter[of_growth], parameter.stride});
            return {parameter[along_strike] * share, parameter[along_dip] * share};
        }
    }

    template <class Value>
    static void start(const Slipping<Value>&) {}
    template <class Points>
    static constexpr void slip(const Points& s) {
        using Value = typename Points::Number;
        constexpr std::size_t lanes = lanes_in<Value>();
        s.for_each_point([&](int p) {
            const auto* const numbers = reinterpret_cast<const double*>(s.parameter + p);
            const auto stride = static_cast<std::ptrdiff_t>(lanes) * s.points;
            Value mean[2] = {};
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const PointNumbers<double> parameter{numbers + lane, stride};
                const auto before = slip_until(parameter, s.time, s.series);
                const auto after = slip_until(parameter, s.time + s.length, s.series);
                for (int c = 0; c < 2; ++c)
                    reinterpret_cast<double*>(mean + c)[lane] = (after[c] - before[c]) / s.length;
            }
            s.along[p] = mean[0];
            s.along[s.points + p] = mean[1];
            s.rate[p] = root(Value(mean[0] * mean[0] + mean[1] * mean[1]));
        });
    }
};

}  // namespace groundswell::quake
