#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>

#include "groundswell/sea/lanes.hpp"

/// Steps of the turning by currents and of the shift in frequency on one register of bins, or on one bin of a device.
namespace groundswell::sea::flow_formulas {

/// Slope that the monotonised central limiter leaves (van Leer 1977) of those, or of the rises, to a value and from it on.
template <class Lane>
constexpr Lane limited(Lane down, Lane up) {
    const Lane middle = Real(0.5) * (down + up), down_twice = down + down, up_twice = up + up;
    return lanes::positive_part(lanes::minimum(middle, lanes::minimum(down_twice, up_twice))) +
           lanes::negative_part(lanes::maximum(middle, lanes::maximum(down_twice, up_twice)));
}

/// Equal parts of a step of which so much at most leaves a bin, with room for a value at a side that is twice the bin's.
template <std::same_as<Real> Number>
constexpr int parts_of(Number largest, Number most) {
    return largest > most ? static_cast<int>(std::min(std::ceil(largest / most), Real(1000))) : 1;
}

/// Share that leaves bin j of a row of n by turning. `courant`: at the upper side of each.
constexpr Real turning_out(const Real* courant, int j, int n) {
    const Real lower = courant[j == 0 ? n - 1 : j - 1];
    return std::max(Real(0), courant[j]) + std::max(Real(0), -lower);
}
/// As `most` of parts_of(): of turning, and of the shift, where J may change by as much as goes through.
inline constexpr Real most_turning = Real(0.49), most_shift = Real(0.45);

/// Flux through the side between bins `here` and `above`, where c is the Courant number there.
template <class Lane>
constexpr Lane turning_flux(Lane c, Lane here, Lane slope, Lane above, Lane slope_above) {
    const Lane half = Real(0.5) * c;
    const Lane upward = here + (Real(0.5) - half) * slope;
    const Lane downward = above - (Real(0.5) + half) * slope_above;
    return c * (c > 0 ? upward : downward);
}

/// A side between two frequencies in a part of a step: C = even + strained · strain.
struct ShiftSide {
    Real even, strained;
    Real half_under, half_over;      ///< of the bins' widths, rad s⁻¹
    Real travel_under, travel_over;  ///< 0.5/J
    bool lowest, highest;            ///< nothing enters there

    /// The flux. `m`, `s`: M and its slope in the bins under and over the side.
    template <class Lane>
    constexpr Lane flux(Lane strain, Lane m_under, Lane s_under, Lane m_over, Lane s_over) const {
        Lane c = even + strained * strain;
        if (lowest) c = lanes::negative_part(c);
        if (highest) c = lanes::positive_part(c);
        const Lane rise = s_under * (half_under - c * travel_under);
        const Lane fall = s_over * (-half_over - c * travel_over);
        const Lane value = c > 0 ? m_under : m_over;
        const Lane change = c > 0 ? rise : fall;
        return c * (value + lanes::maximum(lanes::minimum(change, value), -value));
    }
};
/// The side below bin `side` of `frequencies`, which takes its parts from there. `width`: [frequencies] rad s⁻¹; `density`: J of this
/// part; `share`: of the step.
constexpr ShiftSide shift_side(int side, int frequencies, const Real* width, const Real* density, Real share,
                               Real even, Real strained) {
    // What goes up comes from the bin below the side, what goes down from the one above; nothing enters at the ends.
    const int under = side > 0 ? side - 1 : 0, over = side < frequencies ? side : frequencies - 1;
    return {share * even,
            share * strained,
            Real(0.5) * width[under],
            Real(0.5) * width[over],
            Real(0.5) / density[under],
            Real(0.5) / density[over],
            side == 0,
            side == frequencies};
}
/// Slope of M over frequency in a bin, from it and those beside it; `below`, `above`: from middle to middle, rad s⁻¹.
template <class Lane>
constexpr Lane shift_slope(Lane under, Lane here, Lane over, Real below, Real above) {
    const Real from_below = Real(1) / below, to_above = Real(1) / above;
    return limited((here - under) * from_below, (over - here) * to_above);
}

/// The share of bin i that leaves by the shift, at most. `through(side, strain)`: C; strains lie between `least` and `most`.
template <class Through>
constexpr Real shift_out(int i, Real width, Real density, Real least, Real most, const Through& through) {
    // C is linear in the strain, so what leaves a bin is largest at one of its ends.
    const auto out = [&](Real strain) {
        return (std::max(Real(0), through(i + 1, strain)) + std::max(Real(0), -through(i, strain))) /
               (density * width);
    };
    return std::max(out(least), out(most));
}
/// J of a part of a step in which it grows by so much.
constexpr Real density_of_part(Real density, Real growth, Real share, int part) {
    return density + growth * (share * static_cast<Real>(part));
}

/// Strain of a cell and what turns by it, in one direction: its cosines and sines are of twice the angle, at the middle and over Δθ at
/// the upper side.
struct StrainedDirection {
    Real cosine, sine, side_cosine, side_sine;

    constexpr Real strain(const auto& of) const {
        return of.divergence + (of.along * cosine + of.across * sine);
    }
    /// cθ Δt/Δθ at the side above: −m·S d with the symmetric part of the gradient, − the rotation.
    constexpr Real courant(const auto& of, Real dt, Real per_radian) const {
        return dt * ((of.along * side_sine - of.across * side_cosine) - of.rotation * per_radian);
    }
};
/// Shift at a side by a current that comes in over an edge, whatever the direction, from W beyond and here.
constexpr Real shifted_over_edge(Real dt, Real drift, Real beyond, Real own) {
    return dt * drift * (beyond - own);
}

}  // namespace groundswell::sea::flow_formulas
