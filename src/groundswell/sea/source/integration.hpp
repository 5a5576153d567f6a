#pragma once

#include <algorithm>
#include <array>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/source/physics_options.hpp"
#include "groundswell/sea/source/source_term.hpp"

namespace groundswell::sea {

/// m²: no sea has a significant height of 100 m; beyond, the numbers have run away.
inline constexpr double largest_variance = 25.0 * 25.0;

/// Advances the spectrum by one step, in place: semi-implicit in the diagonal of the source (Hersbach &
/// Janssen 1999, doi:10.1175/1520-0426(1999)016<0884:IOTSFB>2.0.CO;2),
///   ΔE = Δt S / max(1, 1 - Δt ∂S/∂E),
/// limited to |ΔE| ≤ C g ũ f_m f⁻⁴ Δt with ũ = max(u*, 5.6e-3 g/f) (their eq. 11; f_m the mean frequency of
/// wind sea or of all waves, whichever is higher, in place of their cut-off), then exp(-decay Δt). Never
/// negative; the padding is set to 0.
class SourceIntegration {
public:
    static constexpr auto limiter =
        Coefficient("growth_limiter", 5.0e-7, 1e-9, 1, "", "largest change in a step over g u* f_m f^-4 dt",
                    "Hersbach & Janssen 1999, doi:10.1175/1520-0426(1999)016<0884:IOTSFB>2.0.CO;2");
    static constexpr auto most_parts =
        Coefficient("most_substeps", 10.0, 1, 100, "",
                    "equal parts that a source step may be cut into where the sea is young; 1: never",
                    "convention of this model");
    static constexpr auto tolerance =
        Coefficient("substep_change", 0.1, 1e-3, 10, "",
                    "share of its variance that a sea may gain or the limiter may withhold in one part",
                    "convention of this model");
    static constexpr auto height_limit = Coefficient(
        "height_limit", 0.0, 0, 10, "", "largest significant height over depth; 0: none", "ecWAM: SDEPTHLIM");
    static constexpr auto spectrum_limit =
        Coefficient("spectrum_limit", 0.0, 0, 10, "",
                    "largest E(f, theta) over g^2 (2 pi)^-4 f^-5 / pi; 0: none", "ecWAM: ALPHAPMAX, 0.031");
    static constexpr std::array coefficients{limiter, most_parts, tolerance, height_limit, spectrum_limit};

    explicit SourceIntegration(const PhysicsOptions& options)
        : limiter_(options[limiter]),
          tolerance_(options[tolerance]),
          most_parts_(static_cast<int>(options[most_parts])) {}

    /// Change of the prognostic part of the spectrum by a step, m².
    struct Change {
        double gained;    ///< by the bins that grew
        double withheld;  ///< from all bins by the limiter, absolute
    };
    /// Uses two columns of the memory.
    template <class Team>
    constexpr Change advance(const Team& team, const LaneTables& g, const SeaCell& sea, const SourceSum& sum,
                             Real* spectrum, const CellWork& work) const;

    /// Equal sub-steps that a step with this outcome should be cut into: 1 where gain and what the limiter
    /// withheld are small beside the variance of the sea, as they are in all but young seas. A function of
    /// the cell alone.
    constexpr int parts(const SeaCell& sea, const Change& change) const {
        constexpr double calm = 1e-5;  // m²: waves of a centimetre need no care
        const double share = (change.gained + change.withheld) / (sea.variance + change.gained + calm);
        // Written so that a number that is none asks for one part, and is found out later.
        if (!(share > tolerance_)) return 1;
        const double wanted = std::min<double>(most_parts_, share / tolerance_);
        const int whole = static_cast<int>(wanted);
        return whole < wanted ? whole + 1 : whole;
    }

private:
    double limiter_, tolerance_;
    int most_parts_;
};

template <class Team>
constexpr SourceIntegration::Change SourceIntegration::advance(const Team& team, const LaneTables& g,
                                                               const SeaCell& sea, const SourceSum& sum,
                                                               Real* spectrum, const CellWork& work) const {
    using Lane = typename Team::Lane;
    using lanes::load;
    const double mean = std::max(sea.windsea_mean_frequency, sea.mean_frequency);
    const Real scale = static_cast<Real>(limiter_ * base::gravity * mean * sea.step);
    const Real least = static_cast<Real>(5.6e-3 * base::gravity);
    const Real step = sea.step, friction_velocity = sea.friction_velocity;
    const int directions = g.directions, used = Team::used(directions);
    Real *const gains = work.column_a, *const losses = work.column_b;
    team.sync();
    team.rows(g.frequencies, [&](int i) {
        const Real f = g.frequency[i];
        const Real square = f * f;
        const Real friction = std::max(friction_velocity, least / f);
        const Lane most = lanes::broadcast<Lane>(scale * friction / (square * square));
        const Real kept = exec::lanes::exp(-sum.decay[i] * step);
        const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(i) * g.lanes;
        const Real* const source = team.at(sum.source + row);
        const Real* const derivative = team.at(sum.derivative + row);
        Real* const energy = team.at(spectrum + row);
        typename Team::RowSum gained, withheld;
        team.with_count(directions, [&]<class Count>(Count) {
            for (int n = 0; n < Count::of(used); ++n) {
                const int j = n * Team::width;
                const Lane one = lanes::broadcast<Lane>(Real(1));
                const Lane damping = lanes::multiply_subtract(step, load<Lane>(derivative + j), one);
                const Lane wanted = step * load<Lane>(source + j) / lanes::maximum(damping, one);
                const Lane change = team.within(j, directions, wanted);
                // In this order what is no number stays so, and is found out.
                const Lane bounded = lanes::maximum(-most, lanes::minimum(most, change));
                const Lane renewed = lanes::maximum(Lane{}, (load<Lane>(energy + j) + bounded) * kept);
                lanes::store(energy + j, team.within(j, directions, renewed));
                gained.add(j, lanes::positive_part(bounded));
                withheld.add(j, lanes::absolute(change - bounded));
            }
        });
        gains[i] = team.total(gained);
        losses[i] = team.total(withheld);
    });
    team.sync();
    // The rest is replaced by the tail.
    const int prognostic = std::min(sea.cutoff + 1, g.frequencies);
    const auto [gained, withheld] = team.add_up(std::array{0.0, 0.0}, prognostic, [&](int i) {
        const double width = g.width[i];
        return std::array{width * gains[i], width * losses[i]};
    });
    return {gained * g.direction_width, withheld * g.direction_width};
}

/// Bounds every bin by (α/π) g² (2π)⁻⁴ f⁻⁵ with α = `level`, as ecWAM does with 0.031 (its ALPHAPMAX).
template <class Team>
constexpr void bound_spectrum(const Team& team, const LaneTables& g, double level, Real* spectrum) {
    constexpr double two_pi_4 = base::two_pi * base::two_pi * base::two_pi * base::two_pi;
    const double scale = level / base::pi * base::gravity * base::gravity / two_pi_4;
    team.rows(g.frequencies, [&](int i) {
        const double f = g.frequency[i];
        const Real most = static_cast<Real>(scale / (f * f * f * f * f));
        Real* const energy = spectrum + static_cast<std::ptrdiff_t>(i) * g.lanes;
        team.along(g.lanes, [&](int j) { energy[j] = energy[j] > most ? most : energy[j]; });
    });
}

/// Replaces the spectrum beyond the cutoff by the tail E ∝ 1/(k³ cg), f⁻⁵ in deep water, with the directions
/// of the cutoff; the first frequency beyond it is a mixture, according to `cutoff_part` (WAMDI Group 1988,
/// doi:10.1175/1520-0485(1988)018<1775:TWMTGO>2.0.CO;2).
template <class Team>
constexpr void continue_tail(const Team& team, const LaneTables& g, const SeaCell& sea, Real* spectrum) {
    const auto inverse_shape = [&sea](int i) {
        const Real k = sea.wave_number[i];
        return k * k * k * sea.group_speed[i];
    };
    // Each row from the one below; of the first a part is its own.
    const int first = sea.cutoff + 1;
    team.rows_in_order(g.frequencies - first, [&](int above) {
        const int i = first + above;
        const Real own = above == 0 ? sea.cutoff_part : Real(0);
        const Real factor = (Real(1) - own) * inverse_shape(i - 1) / inverse_shape(i);
        Real* const energy = spectrum + static_cast<std::ptrdiff_t>(i) * g.lanes;
        const Real* const below = energy - g.lanes;
        team.along(g.lanes, [&](int j) { energy[j] = own * energy[j] + factor * below[j]; });
    });
}

}  // namespace groundswell::sea
