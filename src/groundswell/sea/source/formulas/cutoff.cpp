#include "groundswell/sea/source/formulas/cutoff.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"

namespace groundswell::sea {

void Cutoff::find(const LaneTables& g, const Real* fed_energy, SeaCell& sea) const {
    const int last = g.frequencies - 1;
    // Beyond the last frequency E ∝ f⁻⁵: ∫E df = E f/4, ∫E/f df = E/5.
    double fed = 0.25 * g.frequency[last] * fed_energy[last], fed_period = 0.2 * fed_energy[last];
    for (int i = 0; i <= last; ++i) {
        const double part = static_cast<double>(g.width[i]) * fed_energy[i];
        fed += part;
        fed_period += part / g.frequency[i];
    }
    sea.windsea_mean_frequency = fed_period > 0.0 ? static_cast<Real>(fed / fed_period) : Real(0);
    const double mean = std::max(sea.windsea_mean_frequency, sea.mean_frequency);
    const double pierson_moskowitz = base::gravity / (28.0 * base::two_pi * sea.friction_velocity);
    const double limit = std::max(mean_ * mean, pierson_moskowitz_ * pierson_moskowitz);
    // Between two frequencies the upper one is prognostic in part: a cutoff that leaps from one to the next
    // makes the stress leap, and u* swing in a steady sea.
    const double position =
        std::clamp(std::log(limit / g.frequency[0]) / std::log(g.ratio), 1.0, static_cast<double>(last));
    sea.cutoff = static_cast<int>(position);
    sea.cutoff_part = static_cast<Real>(position - sea.cutoff);
}

}  // namespace groundswell::sea
