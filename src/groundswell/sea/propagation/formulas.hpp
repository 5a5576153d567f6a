#pragma once

#include <algorithm>

#include "groundswell/sea/four.hpp"
#include "groundswell/sea/lanes.hpp"

/// Steps of the kernels of propagation on one bin or one row, whatever holds the tables: those of a rank (tables.hpp) or a device's.
namespace groundswell::sea {

/// Action this small is none: numbers near the smallest that there are lose their digits, and with them the
/// guarantee that nothing becomes negative, and are slow. A sea of it would be waves of some 10⁻¹⁵ m.
inline constexpr Real negligible_action = Real(1e-30);
template <class Lane>
constexpr Lane without_negligible(Lane action) {
    return lanes::absolute(action) < negligible_action ? Lane{} : action;
}
constexpr lanes::Four without_negligible(const lanes::Four& action) {
    return lanes::Four::of([](Real bin) { return without_negligible(bin); }, action);
}

/// Wave number at an edge: harmonic mean; both cells get the same bits.
template <class T>
constexpr T edge_wave_number(T own, T neighbour) {
    const T product = own * neighbour;
    return (product + product) / (own + neighbour);
}

/// As PropagationTables::largest_excess(), where so much leaves a bin, s⁻¹.
constexpr Real largest_excess(Real outflow, double dt) {
    return static_cast<Real>(std::max(1.0 / std::max(dt * outflow, 1e-3) - 1.0, 0.0));
}

/// Share of `entering`, on its way over an edge, that gets there. `through`: null, or the share that islands let through in this direction;
/// `share`: that of ice.
constexpr Real obstructed(Real entering, const Real* through, Real share) {
    if (entering == 0) return entering;
    return entering * (through != nullptr ? share * *through : share);
}

/// Share of the action beyond a face at which the mesh ends that enters in a step (inflow.hpp), where waves of this speed go outward as
/// n·d = `along` and the water does so with them or alone.
constexpr Real share_from_outside(Real speed, Real along, Real with_waves, Real alone) {
    const Real out = speed * along + with_waves;
    return std::max(Real(0), -out) + alone;
}

/// As turn_implicitly(), with tables that have `grid` and those of turning.
constexpr void turn_row(const auto& tables, Real* row, Real ratio, Real step_x, Real step_y) {
    const int n = tables.grid.directions;
    const auto upper = [&](int j) {
        return ratio * (tables.turn_upper_x[j] * step_x + tables.turn_upper_y[j] * step_y);
    };
    const auto lower = [&](int j) {
        return ratio * (tables.turn_lower_x[j] * step_x + tables.turn_lower_y[j] * step_y);
    };
    // The flux goes up over one half of the circle and down over the other, away from one side of the circle
    // and towards the opposite one. With upwinding each bin depends on the one before it along the flux, so
    // following the flux from its source both ways solves the system exactly; the bin where the two ways meet
    // comes last.
    int up = -1, down = -1;
    for (int j = 0; j < n; ++j) {
        if (lower(j) <= 0 && upper(j) > 0) up = j;
        if (lower(j) < 0 && upper(j) >= 0) down = j;
    }
    if (up < 0 || down < 0) return;
    const auto solved = [&](int j, Real given) {
        return given / (1 + std::max(Real(0), upper(j)) + std::max(Real(0), -lower(j)));
    };
    row[up] = solved(up, row[up]);
    if (down != up) row[down] = solved(down, row[down]);
    for (int previous = up, j = up + 1 == n ? 0 : up + 1; lower(j) > 0;
         previous = j, j = j + 1 == n ? 0 : j + 1) {
        const Real given = row[j] + lower(j) * row[previous];
        row[j] = solved(j, given);
    }
    for (int previous = down, j = down == 0 ? n - 1 : down - 1; upper(j) < 0;
         previous = j, j = j == 0 ? n - 1 : j - 1) {
        const Real given = row[j] - upper(j) * row[previous];
        row[j] = solved(j, given);
    }
}

}  // namespace groundswell::sea
