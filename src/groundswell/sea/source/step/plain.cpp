#include "groundswell/sea/source/plain.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/plain/list.hpp"

namespace groundswell::sea {

std::optional<PlainSum> plain_term(std::string_view name, const LaneGrid& grid, const PhysicsOptions& options,
                                   const SeaCell& sea) {
    const std::vector<plain::PlainTerm> all = plain::list();
    const auto found = std::ranges::find(all, name, &plain::PlainTerm::name);
    if (found == all.end()) return std::nullopt;
    return found->evaluate({grid, options, sea});
}

std::vector<double> plain_step(const LaneGrid& g, const PhysicsOptions& options, const SeaCell& sea,
                               const SourceSum& sum) {
    std::vector<double> energy(static_cast<std::size_t>(g.bins()));
    const double limiter = options.value("growth_limiter");
    const double mean = std::max(sea.windsea_mean_frequency, sea.mean_frequency), step = sea.step;
    for (int i = 0; i <= std::min(sea.cutoff, g.frequencies - 1); ++i) {
        const double f = g.frequency[i];
        const double friction = std::max<double>(sea.friction_velocity, 5.6e-3 * base::gravity / f);
        const double most = limiter * base::gravity * mean * step * friction / std::pow(f, 4);
        for (int j = 0; j < g.directions; ++j) {
            const int at = i * g.lanes + j;
            const double damping = std::max(1.0 - step * sum.derivative[at], 1.0);
            const double change = std::clamp(step * sum.source[at] / damping, -most, most);
            energy[i * g.directions + j] =
                std::max((sea.energy[at] + change) * std::exp(-sum.decay[i] * step), 0.0);
        }
    }
    return energy;
}

}  // namespace groundswell::sea
