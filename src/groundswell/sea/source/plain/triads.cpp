#include "groundswell/sea/source/plain/plain_term.hpp"

namespace groundswell::sea::plain {

PlainSum triads(const Plain& p) {
    PlainSum sum = p.nothing();
    const double d = p.sea.depth, g = base::gravity, r = p.g.ratio, mean = p.sea.first_moment_frequency;
    const double ursell = g * 4.0 * std::sqrt(p.sea.variance) / (8.0 * std::sqrt(2.0)) *
                          std::pow(1.0 / (mean * base::pi * d), 2);
    if (ursell <= p.value("triads_ursell")) return sum;
    const double biphase = -0.5 * base::pi + 0.5 * base::pi * std::tanh(0.2 / ursell);
    const int down = static_cast<int>(std::ceil(std::log(2.0) / std::log(r) - 1e-9));
    const double second = (0.5 - std::pow(r, -down)) / (std::pow(r, 1 - down) - std::pow(r, -down));
    p.for_each_bin([&](int i, int j) {
        if (i < down || p.g.frequency[i] > p.value("triads_mean_frequency") * mean) return;
        const auto between = [&](double low, double high) { return (1.0 - second) * low + second * high; };
        const double k2 = between(p.sea.wave_number[i - down], p.sea.wave_number[i - down + 1]);
        const double k = p.sea.wave_number[i], sigma = p.g.sigma[i], c2 = sigma / 2.0 / k2;
        const double coupling =
            k2 * k2 * (g * d + 2.0 * c2 * c2) /
            (k * d * (g * d + 2.0 / 15.0 * g * std::pow(d, 3) * k * k - 2.0 / 5.0 * sigma * sigma * d * d));
        const double half = between(p.energy(i - down, j), p.energy(i - down + 1, j));
        const double gain =
            std::max(0.0, p.value("triads") * sigma / k * p.sea.group_speed[i] * coupling * coupling *
                              std::abs(std::sin(biphase)) * (half * half - 2.0 * half * p.energy(i, j)));
        const double lost = gain * p.g.frequency[i];
        sum.source[p.bin(i, j)] += gain;
        sum.source[p.bin(i - down, j)] -= (1.0 - second) * lost / p.g.frequency[i - down];
        sum.source[p.bin(i - down + 1, j)] -= second * lost / p.g.frequency[i - down + 1];
    });
    return sum;
}

}  // namespace groundswell::sea::plain
