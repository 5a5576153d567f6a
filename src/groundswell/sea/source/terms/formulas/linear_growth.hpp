#pragma once

#include <algorithm>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/sea/source/source_term.hpp"
#include "groundswell/sea/source/team.hpp"

namespace groundswell::sea::terms {

/// Growth from a calm sea, independent of the waves: in action density over wave number and direction
/// S = C (ρa/ρw)² g⁻² k⁻¹ (u* max(cos, 0))⁴ exp(-(f/f_filter)⁻⁴) (Cavaleri & Malanotte-Rizzoli 1981,
/// doi:10.1029/JC086iC11p10961, with the low-frequency filter of Tolman 1992,
/// doi:10.1175/1520-0485(1992)022<1095:EONOTP>2.0.CO;2; manual of WAVEWATCH III 7.14, eqs. 2.168 to 2.170).
struct LinearGrowthFormula {
    static constexpr Partner partner = Partner::air;
    double strength = 0;  ///< C (ρa/ρw)² g⁻²
    double filter = 0;    ///< of the Pierson-Moskowitz frequency

    template <class Team>
    constexpr void add(const Team& team, const LaneTables& g, const SeaCell& sea, const SourceSum& sum,
                       const CellWork& work) const {
        const double u = sea.friction_velocity;
        const double pierson_moskowitz = base::gravity / (28.0 * u);               // rad s⁻¹
        const double half_cutoff = 0.5 * base::two_pi * cutoff_frequency(g, sea);  // rad s⁻¹
        const double highest = 2.0 * g.sigma[g.frequencies - 1];
        const Real lowest =
            static_cast<Real>(std::min(std::max(filter * pierson_moskowitz, half_cutoff), highest));
        const Real scale = static_cast<Real>(strength * u * u * u * u);

        // E(f, θ) df = σ N(k, θ) dk with dk/df = 2π/cg.
        Real* const by_frequency = work.column_a;
        const Real *sigma = g.sigma.data(), *wave_number = sea.wave_number, *group_speed = sea.group_speed;
        team.sync();
        team.columns(g.frequency_lanes, [&](int i) {
            const Real inverse = lowest / sigma[i];
            const Real square = inverse * inverse;
            by_frequency[i] = scale * sigma[i] * static_cast<Real>(base::two_pi) /
                              (wave_number[i] * group_speed[i]) * exec::lanes::exp(-square * square);
        });
        team.sync();
        const Real *cosine = g.cosine.data(), *sine = g.sine.data();
        const Real wind_x = sea.wind_x, wind_y = sea.wind_y;
        team.rows(g.frequencies, [&](int i) {
            if (sigma[i] < Real(0.5) * lowest) return;
            Real* const source = sum.source + static_cast<std::ptrdiff_t>(i) * g.lanes;
            const Real here = by_frequency[i];
            team.along(g.lanes, [&](int j) {
                const Real along = cosine[j] * wind_x + sine[j] * wind_y;
                const Real bounded = along > Real(0) ? along : Real(0);
                const Real square = bounded * bounded;
                source[j] += here * square * square;
            });
        });
    }
};

}  // namespace groundswell::sea::terms
