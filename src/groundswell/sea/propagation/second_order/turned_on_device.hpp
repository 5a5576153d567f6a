#pragma once

#include <cstdint>
#include <span>

#include "groundswell/sea/propagation/rotated_formulas.hpp"

namespace groundswell::sea {

/// Edges between frames that turn, on a device; no tables where there are none.
struct TurnedEdges {
    std::span<const std::int32_t> of_edge;  ///< [edge] place among these, or -1
    std::span<const std::int32_t> shift;    ///< SpectrumRotation::shift
    std::span<const Real> part;             ///< SpectrumRotation::part
    std::span<const Real> out;              ///< [4] RotatedEdge::normal_x, normal_y, half_x, half_y

    constexpr void arrays(const auto& visit) const {
        if (!any()) return;
        visit(of_edge);
        visit(shift);
        visit(part);
        visit(out);
    }
    constexpr bool any() const { return !of_edge.empty(); }
    constexpr std::int32_t at(std::int32_t edge) const { return any() ? of_edge[edge] : -1; }
    /// Turned by the `place`-th: what comes to direction d of n, where `value(at)` stood at another.
    constexpr Real arriving(std::int32_t place, int d, int n, const auto& value) const {
        const int source = d + n - shift[place];
        const auto beside = [&](int away) { return value((source + away + n) % n); };
        const TurnShares shares(part[place]);
        const Real before = beside(-1), here = beside(0);
        return shares.arriving(here, shares.tilt(before, here, beside(1)), before,
                               shares.tilt(beside(-2), before, here));
    }
};

}  // namespace groundswell::sea
