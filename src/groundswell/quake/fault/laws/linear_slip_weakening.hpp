#pragma once

#include "groundswell/quake/fault/laws/slip_weakening.hpp"

namespace groundswell::quake {

/// Friction that falls linearly with slip (Y. Ida 1972, doi:10.1029/JB077i020p03796; D. J. Andrews 1976,
/// doi:10.1029/JB081i020p03575).
struct LinearFall {
    static constexpr std::string_view name = "linear-slip-weakening";
    static constexpr std::string_view meaning = "friction falls linearly with slip";
    static constexpr std::string_view source = "Andrews 1976, doi:10.1029/JB081i020p03575";
    static constexpr double cost = 2.0;
    static constexpr std::array<LawParameter, 0> numbers{};
    /// Slip over which friction would fall at its first slope, in slip distances.
    static constexpr double steepest = 1.0;

    /// Share of the fall that is done after a slip, in slip distances. `numbers`: of the curve.
    template <class Value>
    static constexpr Value fallen(const Value& slip, const double*) {
        return lesser(slip, Value(Value{} + 1.0));
    }
};
using LinearSlipWeakening = SlipWeakening<LinearFall>;

}  // namespace groundswell::quake
