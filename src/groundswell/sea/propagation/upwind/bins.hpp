#pragma once

#include <type_traits>

#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/propagation/formulas.hpp"
#include "groundswell/sea/propagation/upwind/preparation.hpp"

/// The bins of a cell are one row of registers, whatever the number of directions: a register holds bins of one frequency, or the
/// last of one and the first of the next. Registers that begin at the same direction form a pattern: what depends on direction is
/// read once for all of them.
namespace groundswell::sea {

/// Registers of a pattern that are worked on at once: with the 16 registers of AVX2, weights come from the cache each time.
template <class Lane>
inline constexpr int rows_at_once = std::is_same_v<Lane, Real> || lanes::width >= 16 ? 1 : 2;

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

/// The pattern of a single bin, of direction `d` of `n`.
template <Lies lies>
class Pattern<Real, lies> {
public:
    constexpr Pattern(int n, int d) : below_(d == 0 ? n - 1 : -1), above_(d == n - 1 ? 1 - n : 1) {}
    constexpr Real each(const Real* numbers) const { return *numbers; }
    constexpr Real below(const Real* own, const Real* /*around*/) const { return own[below_]; }
    constexpr Real above(const Real* own) const { return own[above_]; }

private:
    int below_, above_;
};

/// The registers that begin at direction `d`, of rows row, row + step, … and at bins below `end`. Sums over edges in mesh order,
/// turning from the same N. `fixed_edges`: 0, or at least as many as there are. `t` and `w` are PropagationTables and
/// UpwindWorkspace, or what a device has of them.
template <class Lane, Lies lies, int fixed_edges>
constexpr void propagate_pattern(const auto& t, const auto& w, const UpwindCell& c, int row, int d, int step,
                                 int end) {
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
    const auto direction = [&](const auto& table) { return lanes::load<Lane>(table.data() + d); };
    const Lane upper_x = direction(t.turn_upper_x), upper_y = direction(t.turn_upper_y);
    const Lane lower_x = direction(t.turn_lower_x), lower_y = direction(t.turn_lower_y);
    const Real* __restrict own = c.own;
    Real* __restrict result = c.result;

    const auto propagate = [&]<int at_once>(std::integral_constant<int, at_once>, int bin,
                                            const Real* factors) {
        Lane out[at_once], in[at_once];
#pragma GCC unroll 4
        for (int i = 0; i < at_once; ++i) {
            const int b = bin + i * stride;
            const Real* const numbers = factors + i * step;
            const Real* const around = lies == Lies::at_an_end && b == 0 ? c.beginning : own + b;
            const Lane x = pattern.each(numbers + UpwindRows::turn_x * w.factor_stride);
            const Lane y = pattern.each(numbers + UpwindRows::turn_y * w.factor_stride);
            const Lane upper = lanes::multiply_add(x, upper_x, y * upper_y);
            const Lane lower = lanes::multiply_add(x, lower_x, y * lower_y);
            out[i] = lanes::positive_part(upper) - lanes::negative_part(lower);
            in[i] = lanes::multiply_subtract(lanes::negative_part(upper), pattern.above(own + b),
                                             lanes::positive_part(lower) * pattern.below(own + b, around));
            if (c.extra) in[i] += lanes::load<Lane>(c.extra + b);
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
                out[i] = lanes::multiply_add(pattern.each(leaves + i * step), out_of_edge, out[i]);
                in[i] = lanes::multiply_add(pattern.each(enters + i * step) * in_of_edge,
                                            lanes::load<Lane>(beyond + bin + i * stride), in[i]);
            }
        }
#pragma GCC unroll 4
        for (int i = 0; i < at_once; ++i) {
            const Lane value = lanes::load<Lane>(own + bin + i * stride);
            const Lane stays = lanes::multiply_subtract(out[i], value, value);
            lanes::store(result + bin + i * stride, without_negligible(stays + in[i]));
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
