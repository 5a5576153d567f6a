#pragma once

#include <algorithm>
#include <array>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/sea/source/physics_options.hpp"
#include "groundswell/sea/source/source_term.hpp"

namespace groundswell::sea {

/// Up to which frequency the spectrum is prognostic: a multiple of the mean frequency of wind sea or of all waves, whichever is
/// higher, and no less than one of the Pierson-Moskowitz frequency g/(28 · 2π u*) (IFS documentation 45r1, part VII).
class Cutoff {
public:
    static constexpr auto of_mean = Coefficient("tail_mean_frequency", 2.5, 1, 100, "",
                                                "diagnostic tail beyond this multiple of the mean frequency",
                                                "IFS documentation 45r1, part VII");
    static constexpr auto of_pierson_moskowitz =
        Coefficient("tail_pierson_moskowitz", 4.0, 0, 100, "", "… and of the Pierson-Moskowitz frequency",
                    "IFS documentation 45r1, part VII");
    static constexpr std::array coefficients{of_mean, of_pierson_moskowitz};

    constexpr Cutoff() = default;
    explicit Cutoff(const PhysicsOptions& options)
        : mean_(options[of_mean]), pierson_moskowitz_(options[of_pierson_moskowitz]) {}

    /// Sets the wind sea's mean frequency and the cutoff, from the friction velocity of the cell and `fed_energy`: [frequencies] of
    /// what the wind feeds, ∫ E dθ, m² s.
    template <class Team>
    constexpr void find(const Team& team, const LaneTables& g, const Real* fed_energy, SeaCell& sea) const {
        const int last = g.frequencies - 1;
        // Beyond the last frequency E ∝ f⁻⁵: ∫E df = E f/4, ∫E/f df = E/5.
        const std::array tail{0.25 * g.frequency[last] * fed_energy[last], 0.2 * fed_energy[last]};
        const std::array fed = team.add_up(tail, g.frequencies, [&](int i) {
            const double part = static_cast<double>(g.width[i]) * fed_energy[i];
            return std::array{part, part / g.frequency[i]};
        });
        team.once([&] {
            sea.windsea_mean_frequency = fed[1] > 0.0 ? static_cast<Real>(fed[0] / fed[1]) : Real(0);
            const double mean = std::max(sea.windsea_mean_frequency, sea.mean_frequency);
            const double pierson_moskowitz = base::gravity / (28.0 * base::two_pi * sea.friction_velocity);
            const double limit = std::max(mean_ * mean, pierson_moskowitz_ * pierson_moskowitz);
            // Between two frequencies the upper one is prognostic in part: a cutoff that leaps from one to the next
            // makes the stress leap, and u* swing in a steady sea.
            const double position =
                std::clamp(exec::lanes::log(limit / g.frequency[0]) / exec::lanes::log(g.ratio), 1.0,
                           static_cast<double>(last));
            sea.cutoff = static_cast<int>(position);
            sea.cutoff_part = static_cast<Real>(position - sea.cutoff);
        });
        team.sync();
    }

private:
    double mean_ = 0, pierson_moskowitz_ = 0;
};

}  // namespace groundswell::sea
