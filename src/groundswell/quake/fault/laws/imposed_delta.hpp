#pragma once

#include "groundswell/quake/fault/laws/imposed_slip.hpp"

namespace groundswell::quake {

/// All of a place's slip at its onset: in the sub-step that this falls into.
struct StepGrowth {
    static constexpr std::string_view name = "imposed-delta";
    static constexpr std::string_view meaning = "slip is given: all of it at once";
    static constexpr std::string_view source = "";
    static constexpr std::array<LawParameter, 0> numbers{};

    template <std::same_as<double> T>
    static constexpr T grown(T time, const PointNumbers<T>&) {
        return time > 0.0 ? 1.0 : 0.0;
    }
};
using ImposedDelta = ImposedSlip<StepGrowth>;

}  // namespace groundswell::quake
