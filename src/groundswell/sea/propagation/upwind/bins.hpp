#pragma once

#include <type_traits>

#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/propagation/upwind/preparation.hpp"
#include "groundswell/sea/propagation/upwind/upwind_workspace.hpp"

/// The bins of a cell are one row of registers, whatever the number of directions: a register holds bins of one frequency, or the
/// last of one and the first of the next. Registers that begin at the same direction form a pattern: what depends on direction is
/// read once for all of them.
namespace groundswell::sea {

/// Registers of a pattern that are worked on at once: with the 16 registers of AVX2, weights come from the cache each time.
template <class Lane>
inline constexpr int rows_at_once = lanes::width >= 16 ? 1 : 2;

/// A cell as propagate_pattern() needs it.
struct UpwindCell {
    const Real* own;        ///< [bins]
    const Real* beginning;  ///< own bins of the first register, with any finite number before
    const Real* extra;      ///< null, or [bins] what comes over edges between frames
    int edges;
    Real* __restrict result;  ///< [bins]
};

/// Where the registers of a pattern lie: inside a row of directions, at an end of it or both, or over the end of one and the
/// beginning of the next.
enum class Lies { inside, at_an_end, over_an_end };

/// Numbers that a register of the pattern takes from its one or two rows, and its neighbours round the circle.
template <class Lane, Lies lies>
class Pattern {
public:
    // Registers that begin at direction `d` of `n`.
    Pattern(int n, int d) {
        constexpr int values = sizeof(Lane) / sizeof(Real);
        const int here = n - d;  // values of the first row
        const int first = d == 0 ? 0 : here < values ? here : -1, last = here <= values ? here - 1 : -1;
        const auto at = [](int place) { return lanes::broadcast<Lane>(static_cast<Real>(place)); };
        is_first_ = lanes::places<Lane>() == at(first);
        is_last_ = lanes::places<Lane>() == at(last);
        is_here_ = lanes::places<Lane>() < at(here);
        below_first_ = first < 0 ? 0 : first + n - 1;
        above_last_ = last < 0 ? 0 : last - n + 1;
    }

    /// One number for each row.
    Lane each(const Real* numbers) const {
        if constexpr (lies == Lies::over_an_end)
            return is_here_ ? lanes::broadcast<Lane>(numbers[0]) : lanes::broadcast<Lane>(numbers[1]);
        else
            return lanes::broadcast<Lane>(*numbers);
    }
    // Below the first bin of a row lies its last, above the last the first. `around`: what lies at own[bin].
    Lane below(const Real* own, const Real* around) const {
        const Lane inside = lanes::load<Lane>(around - 1);
        if constexpr (lies == Lies::inside) return inside;
        return is_first_ ? lanes::broadcast<Lane>(own[below_first_]) : inside;
    }
    Lane above(const Real* own) const {
        const Lane inside = lanes::load<Lane>(own + 1);
        if constexpr (lies == Lies::inside) return inside;
        return is_last_ ? lanes::broadcast<Lane>(own[above_last_]) : inside;
    }

private:
    using Condition = decltype(Lane{} < Lane{});
    Condition is_first_, is_last_, is_here_;
    int below_first_, above_last_;
};

/// The registers that begin at direction `d`, of rows row, row + step, … and at bins below `end`. Sums over edges in mesh order,
/// turning from the same N. `fixed_edges`: 0, or at least as many as there are.
template <class Lane, Lies lies, int fixed_edges>
void propagate_pattern(const PropagationTables& t, const UpwindWorkspace& w, const UpwindCell& c, int row,
                       int d, int step, int end) {
    constexpr int kept = fixed_edges > 0 ? fixed_edges : 1;
    const int n = t.grid.directions, edges = fixed_edges > 0 ? fixed_edges : c.edges, stride = step * n;
    const Pattern<Lane, lies> pattern(n, d);
    const auto weight = [&](const auto& weights, int e) {
        return lanes::load<Lane>(weights.data() + e * w.weight_stride + d);
    };
    Lane in_weight[kept], out_weight[kept];
    const Real* neighbour[kept];
#pragma GCC unroll 8
    for (int e = 0; e < fixed_edges; ++e) {
        in_weight[e] = weight(w.in_weight, e);
        out_weight[e] = weight(w.out_weight, e);
        neighbour[e] = w.neighbour[e];
    }
    const TurningSides<Lane> sides = turning_sides<Lane>(t, d);
    const Real* __restrict own = c.own;
    Real* __restrict result = c.result;

    const auto propagate = [&]<int at_once>(std::integral_constant<int, at_once>, int bin,
                                            const Real* factors) {
        BinFlows<Lane> flows[at_once];
#pragma GCC unroll 4
        for (int i = 0; i < at_once; ++i) {
            const int b = bin + i * stride;
            const Real* const numbers = factors + i * step;
            const Real* const around = lies == Lies::at_an_end && b == 0 ? c.beginning : own + b;
            flows[i].turn(sides, pattern.each(numbers + UpwindRows::turn_x * w.factor_stride),
                          pattern.each(numbers + UpwindRows::turn_y * w.factor_stride),
                          pattern.below(own + b, around), pattern.above(own + b));
            if (c.extra) flows[i].in += lanes::load<Lane>(c.extra + b);
        }
#pragma GCC unroll 8
        for (int e = 0; e < edges; ++e) {
            const Real* const enters = factors + (UpwindRows::first_edge + 2 * e) * w.factor_stride;
            const Real* const leaves = enters + w.factor_stride;
            const bool known = fixed_edges > 0;
            const Real* const beyond = known ? neighbour[e % kept] : w.neighbour[e];
            const Lane in_of_edge = known ? in_weight[e % kept] : weight(w.in_weight, e);
            const Lane out_of_edge = known ? out_weight[e % kept] : weight(w.out_weight, e);
#pragma GCC unroll 4
            for (int i = 0; i < at_once; ++i) {
                flows[i].leave(pattern.each(leaves + i * step), out_of_edge);
                flows[i].enter(pattern.each(enters + i * step), in_of_edge,
                               lanes::load<Lane>(beyond + bin + i * stride));
            }
        }
#pragma GCC unroll 4
        for (int i = 0; i < at_once; ++i) {
            const int b = bin + i * stride;
            lanes::store(result + b, flows[i].result(lanes::load<Lane>(own + b)));
        }
    };
    int bin = row * n + d;
    const Real* factors = w.factors.data() + row;
    if constexpr (rows_at_once < Lane >> 1) {
        constexpr int number = rows_at_once<Lane>;
        const std::integral_constant<int, number> several;
        for (; bin + (number - 1) * stride < end; bin += number * stride, factors += number * step)
            propagate(several, bin, factors);
    }
    for (; bin < end; bin += stride, factors += step)
        propagate(std::integral_constant<int, 1>{}, bin, factors);
}

}  // namespace groundswell::sea
