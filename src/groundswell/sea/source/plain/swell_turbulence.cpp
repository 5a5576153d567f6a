#include "groundswell/sea/source/plain/plain_term.hpp"

namespace groundswell::sea::plain {

PlainSum swell_turbulence(const Plain& p) {
    PlainSum sum = p.nothing();
    double weights = 0.0, peak = 0.0;
    for (int i = 0; i < p.g.frequencies; ++i) {
        const double weight = std::pow(p.row_energy(i), 4) * p.g.width[i];
        weights += weight;
        peak += weight * p.sea.wave_number[i];
    }
    const double b = p.value("swell_turbulence") * 2.0 * std::sqrt(p.sea.variance) * peak / weights;
    for (int i = 0; i < p.g.frequencies; ++i)
        sum.decay[i] = 2.0 / 3.0 * b * p.g.sigma[i] * std::sqrt(p.saturation(i));
    return sum;
}

}  // namespace groundswell::sea::plain
