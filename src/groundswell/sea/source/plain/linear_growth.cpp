#include <algorithm>

#include "groundswell/sea/source/plain/plain_term.hpp"

namespace groundswell::sea::plain {

PlainSum linear_growth(const Plain& p) {
    PlainSum sum = p.nothing();
    const double u = p.sea.friction_velocity, ratio = p.value("air_density") / p.value("water_density");
    const double strength = p.value("linear_growth");
    const double filter = std::min(std::max(p.value("linear_growth_filter") * base::gravity / (28.0 * u),
                                            0.5 * base::two_pi * cutoff_frequency(p.g, p.sea)),
                                   2.0 * p.g.sigma[p.g.frequencies - 1]);
    p.for_each_bin([&](int i, int j) {
        const double sigma = p.g.sigma[i];
        if (sigma < 0.5 * filter) return;
        const double along = std::max(p.along_wind(j), 0.0);
        sum.source[p.bin(i, j)] = strength * ratio * ratio / (base::gravity * base::gravity) *
                                  std::pow(u * along, 4) * std::exp(-std::pow(filter / sigma, 4)) * sigma *
                                  base::two_pi /
                                  (static_cast<double>(p.sea.wave_number[i]) * p.sea.group_speed[i]);
    });
    return sum;
}

}  // namespace groundswell::sea::plain
