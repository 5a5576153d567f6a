#include "groundswell/sea/source/plain/plain_term.hpp"

namespace groundswell::sea::plain {

PlainSum bottom_friction_madsen(const Plain& p) {
    PlainSum sum = p.nothing();
    const auto sinh = [&](int i) {
        return std::sinh(std::min<double>(p.sea.wave_number[i] * p.sea.depth, 300.0));
    };
    double speed = 0.0, amplitude = 0.0;
    for (int i = 0; i < p.g.frequencies; ++i) {
        const double part = p.row_energy(i) * p.g.width[i] / std::pow(sinh(i), 2);
        speed += part * p.g.sigma[i] * p.g.sigma[i];
        amplitude += part;
    }
    const double ratio = std::sqrt(2.0 * amplitude) / p.value("bottom_roughness");
    // 1/(4√f) + log10 1/(4√f) = -0.08 + log10 a/K, by halving.
    double low = 1e-6, high = 0.3;
    for (int i = 0; i < 100; ++i) {
        const double f = 0.5 * (low + high), x = 1.0 / (4.0 * std::sqrt(f));
        (x + std::log10(x) > -0.08 + std::log10(ratio) ? low : high) = f;
    }
    const double factor = ratio < 1.57 ? 0.3 : low;
    for (int i = 0; i < p.g.frequencies; ++i)
        sum.decay[i] = factor * std::sqrt(speed / 2.0) / base::gravity * std::pow(p.g.sigma[i] / sinh(i), 2);
    return sum;
}

}  // namespace groundswell::sea::plain
