#include "groundswell/sea/source/plain/plain_term.hpp"

namespace groundswell::sea::plain {

PlainSum whitecapping_steepness(const Plain& p) {
    PlainSum sum = p.nothing();
    const int last = p.g.frequencies - 1;
    const bool first = p.value("steepness_first_moment") >= 0.5;
    // Means with the f⁻⁵ tail, in which k ∝ f².
    double variance = p.row_energy(last) * p.g.frequency[last] / 4.0, root = 0.0, inverse = 0.0;
    const double end = std::sqrt(static_cast<double>(p.sea.wave_number[last]));
    root = end * p.row_energy(last) * p.g.frequency[last] / 3.0;
    inverse = p.row_energy(last) * p.g.frequency[last] / 5.0 / end;
    for (int i = 0; i <= last; ++i) {
        const double part = p.row_energy(i) * p.g.width[i], k = p.sea.wave_number[i];
        variance += part;
        root += part * std::sqrt(k);
        inverse += part / std::sqrt(k);
    }
    const double k = first ? std::pow(root / variance, 2) : std::pow(variance / inverse, 2);
    const double sigma = base::two_pi * (first ? p.sea.first_moment_frequency : p.sea.mean_frequency);
    const double steepness = k * k * variance / p.value("steepness_reference");
    const double delta = p.value("steepness_short_waves");
    p.for_each_bin([&](int i, int j) {
        const double ratio = p.sea.wave_number[i] / k;
        sum.source[p.bin(i, j)] = -p.value("steepness_whitecapping") * sigma * steepness * steepness *
                                  ((1.0 - delta) * ratio + delta * ratio * ratio) * p.energy(i, j);
    });
    return sum;
}

}  // namespace groundswell::sea::plain
