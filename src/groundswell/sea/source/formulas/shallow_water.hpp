#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>

#include "groundswell/exec/math.hpp"
#include "groundswell/sea/source/source_term.hpp"

namespace groundswell::sea {

/// The share Q of breakers among waves with (Hrms/Hm)² = `height_ratio_square`: (1 - Q)/ln Q = -(Hrms/Hm)²; 1 from 1 upward
/// (Battjes & Janssen 1978, doi:10.1061/9780872621909.034; manual of WAVEWATCH III 7.14, eq. 2.186).
template <std::same_as<double> Number>
constexpr Number breaking_share(Number height_ratio_square) {
    if (height_ratio_square >= 1.0) return 1.0;
    if (height_ratio_square < 0.04) return 0.0;  // Q < e^-25
    // Q = exp(-(1 - Q)/b²) has the root 1 too; Newton from below finds the smaller one, monotonically.
    const double inverse = 1.0 / height_ratio_square;
    double share = exec::lanes::exp(-inverse);
    for (int iteration = 0; iteration < 50; ++iteration) {
        const double e = exec::lanes::exp(-inverse * (1.0 - share));
        const double change = (e - share) / (1.0 - inverse * e);
        share += change;
        if (std::abs(change) <= 1e-9 * share) break;
    }
    return share < 1.0 ? share : 1.0;
}

/// R(¾ k̄d), R(x) = 1 + 5.5/x (1 - 5x/6) exp(-5x/4): what four-wave interactions are scaled by in water of `depth` metres
/// (Hasselmann et al. 1985, after Herterich & Hasselmann 1980; manual of WAVEWATCH III 7.14, eqs. 2.27 to 2.31). k̄ in rad m⁻¹.
template <std::floating_point Number>
constexpr double four_wave_depth_factor(Number mean_wave_number, Number depth) {
    const double x = std::max(0.75 * static_cast<double>(mean_wave_number) * static_cast<double>(depth), 0.5);
    if (x > 40.0) return 1.0;
    return 1.0 + 5.5 / x * (1.0 - 5.0 / 6.0 * x) * exec::lanes::exp(-1.25 * x);
}

/// Mean rate, s⁻¹, at which variance is lost in `step` seconds, for a relative rate -dm0/dt/m0 = `rate`(m0), s⁻¹, that falls
/// steeply with m0: that ordinary differential equation is followed through the step.
template <class Rate>
constexpr double mean_loss(double variance, double step, const Rate& rate) {
    double remaining = variance > 0.0 ? step : 0.0, lost = 0.0;
    for (int substep = 0; substep < 1000 && remaining > 0.0; ++substep) {
        const double now = rate(variance);
        if (now * remaining < 1e-12) break;
        const double part = now * remaining > 0.1 ? 0.1 / now : remaining;
        lost += now * part;
        variance *= exec::lanes::exp(-now * part);
        remaining -= part;
    }
    return lost / step;
}

/// Adds a decay that is the same for all waves, rate() in s⁻¹.
template <class Team, class Rate>
constexpr void add_even_decay(const Team& team, const LaneTables& g, const SourceSum& sum,
                              const CellWork& work, const Rate& rate) {
    team.sync();
    team.once([&] { work.column_a[0] = static_cast<Real>(rate()); });
    team.sync();
    const Real decay = work.column_a[0];
    if (decay == Real(0)) return;
    team.columns(g.frequency_lanes, [&](int i) { sum.decay[i] += decay; });
}

/// Adds the decay of waves by friction at the bottom, scale k/sinh 2kd with `scale` in m s⁻¹, to [f] decay, s⁻¹.
template <class Team>
constexpr void add_bottom_decay(const Team& team, const LaneTables& g, const SeaCell& sea, Real scale,
                                Real* decay) {
    const Real* const wave_number = sea.wave_number;
    const Real depth = sea.depth;
    if (wave_number[0] * depth > Real(20)) return;  // no wave of this grid feels the bottom
    team.columns(g.frequency_lanes, [&](int i) {
        const Real argument = Real(2) * wave_number[i] * depth;
        const Real growing = exec::lanes::exp(argument < Real(50) ? argument : Real(50));
        // sinh x = (e^x - e^-x)/2; x is at least 2 k d of the longest wave, so nothing cancels badly.
        const Real sinh = Real(0.5) * (growing - Real(1) / growing);
        decay[i] += scale * wave_number[i] / sinh;
    });
}

}  // namespace groundswell::sea
