#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/source/formulas/gravity_capillary.hpp"
#include "groundswell/sea/source/source_term.hpp"

/// Sums over a cell's spectrum that the air over it asks for.
namespace groundswell::sea {

/// The cosine of each direction to the wind and its reciprocal; where waves cannot grow, because the cosine is below 0.01, one so large
/// that no exponent is below 0. Returns the least reciprocal of all.
template <class Team>
constexpr Real align_with_wind(const Team& team, Real wind_x, Real wind_y, const LaneTables& g, Real* along,
                               Real* reciprocal) {
    using Lane = typename Team::Lane;
    const Real *const cosines = team.at(g.cosine.data()), *const sines = team.at(g.sine.data());
    const Lane none = lanes::broadcast<Lane>(Real(1e30));
    Lane least = none;
    for (int j = 0; j < Team::used(g.directions); j += Team::width) {
        const Lane cosine = lanes::multiply_add(wind_x, lanes::load<Lane>(cosines + j),
                                                wind_y * lanes::load<Lane>(sines + j));
        const Lane inverse = cosine > Real(0.01) ? 1 / cosine : none;
        lanes::store(team.at(along) + j, cosine);
        lanes::store(team.at(reciprocal) + j, inverse);
        least = lanes::minimum(inverse, least);
    }
    return team.least(least);
}

/// Makes the growth rates β of a row (1 + N sin²)/(1 + N) of what they are, N = `strength` Σ β E, with the mean of sin² to the wind by β E
/// (GravityCapillary); returns the factor. `along`: cosines to the wind.
template <class Team>
constexpr Real renormalise(const Team& team, const LaneTables& g, const Real* spectrum, const Real* along,
                           Real strength, Real* rates) {
    using Lane = typename Team::Lane;
    using lanes::load;
    typename Team::RowSum all, with;
    const Real *const energy = team.at(spectrum), *const cosines = team.at(along);
    Real* const rate = team.at(rates);
    const int used = Team::used(g.directions);
    for (int j = 0; j < used; j += Team::width) {
        const Lane flux = load<Lane>(rate + j) * load<Lane>(energy + j), cosine = load<Lane>(cosines + j);
        all.add(j, flux);
        with.add_product(j, flux, cosine * cosine);
    }
    const Real n = strength * team.total(all), n_with = strength * team.total(with);
    const Real factor = (1 + n - n_with) / (1 + n);
    for (int j = 0; j < used; j += Team::width) lanes::store(rate + j, load<Lane>(rate + j) * factor);
    return factor;
}

/// Σ over the directions of a frequency as `add(sum, j, E, cosine)` adds to it, with the cosine of each to the wind.
template <class Team, class Add>
constexpr Real sum_by_wind(const Team& team, const LaneTables& g, const SeaCell& sea, int i, const Add& add) {
    using Lane = typename Team::Lane;
    using lanes::load;
    const Real *const cosine = team.at(g.cosine.data()), *const sine = team.at(g.sine.data());
    const Real* const row = team.at(sea.energy + static_cast<std::ptrdiff_t>(i) * g.lanes);
    typename Team::RowSum sum;
    for (int j = 0; j < Team::used(g.directions); j += Team::width)
        add(sum, j, load<Lane>(row + j),
            lanes::multiply_add(sea.wind_x, load<Lane>(cosine + j), sea.wind_y * load<Lane>(sine + j)));
    return team.total(sum);
}

/// ∫E sin² dθ of a frequency over Δθ, m² s rad⁻¹, by the angle to the wind.
template <class Team>
constexpr Real across_of(const Team& team, const LaneTables& g, const SeaCell& sea, int i) {
    return sum_by_wind(team, g, sea, i, [](auto& sum, int j, auto energy, auto along) {
        sum.add_product(j, energy, 1 - along * along);
    });
}

/// ∫E max(cos, 0)³ dθ of a frequency over Δθ, m² s rad⁻¹, by the angle to the wind.
template <class Team>
constexpr Real cubed_along(const Team& team, const LaneTables& g, const SeaCell& sea, int i) {
    return sum_by_wind(team, g, sea, i, [](auto& sum, int j, auto energy, auto along) {
        const auto bounded = lanes::positive_part(along);
        sum.add_product(j, energy * bounded, bounded * bounded);
    });
}

/// Half of Phillips' parameter of the waves that go with the wind, from their mean square slope (ecWAM, HALPHAP); leaves their ∫ E dθ in
/// `ahead`.
template <class Team>
constexpr double half_of_phillips(const Team& team, const LaneTables& g, const SeaCell& sea, Real* ahead) {
    team.rows(g.frequencies, [&](int i) {
        const Real sum = sum_by_wind(team, g, sea, i, [](auto& kept, int j, auto energy, auto along) {
            kept.add(j, along >= 0 ? energy : decltype(energy){});
        });
        ahead[i] = sum * g.direction_width;
    });
    team.sync();
    const int last = g.frequencies - 1;
    const double highest = g.frequency[last], end = ahead[last];
    const std::array tail{0.25 * highest * end, 0.2 * end, 0.0};
    const std::array sums = team.add_up(tail, g.frequencies, [&](int i) {
        const double part = static_cast<double>(g.width[i]) * ahead[i], k = sea.wave_number[i];
        return std::array{part, part / g.frequency[i], part * k * k};
    });
    team.sync();
    const double mean = sums[0] > 0.0 ? sums[0] / sums[1] : highest;
    if (last > 1 && mean < g.frequency[last - 2]) {
        const double found = sums[2] / exec::lanes::log(highest / mean);
        if (found <= GravityCapillary::most_phillips) return 0.5 * found;
    }
    // The level of the tail: (2π)⁴ f⁵ E(f)/g².
    constexpr double two_pi_2 = base::two_pi * base::two_pi;
    const double level = two_pi_2 * two_pi_2 / (base::gravity * base::gravity) * highest * highest * highest *
                         highest * highest * end;
    return 0.5 * std::min(level, double{GravityCapillary::most_phillips});
}

}  // namespace groundswell::sea
