#include <algorithm>

#include "groundswell/sea/source/plain/plain_term.hpp"

namespace groundswell::sea::plain {

namespace {

std::vector<double> saturation(const Plain& p) {
    std::vector<double> all(static_cast<std::size_t>(p.g.bins()));
    const double width = base::two_pi / p.g.directions,
                 half = p.value("saturation_half_angle") * base::degree;
    const int reach = std::min(static_cast<int>(std::lround(half / width)), p.g.directions / 2 - 1);
    p.for_each_bin([&](int i, int j) {
        const double k = p.sea.wave_number[i];
        double sum = 0.0;
        for (int d = -reach; d <= reach; ++d) {
            const bool whole = std::abs(d) < reach || d == 0;
            const double sector = whole ? width : std::clamp(half - (std::abs(d) - 0.5) * width, 0.0, width);
            sum += p.energy(i, j + d) * std::pow(std::cos(d * width), 2) * sector;
        }
        all[p.bin(i, j)] = sum * k * k * k * p.sea.group_speed[i] / base::two_pi;
    });
    return all;
}

struct Cumulative {
    double strength, gap, end_weight, threshold;
};

// Short waves that long breakers wipe out: the rate in a bin.
double cumulative(const Plain& p, const Cumulative& of, const std::vector<double>& saturation, int i, int j) {
    const double rows = of.gap > 0.0 ? of.gap / (p.g.ratio - 1.0) : std::log(2.0) / std::log(p.g.ratio);
    const int last = i - static_cast<int>(std::lround(rows));
    const double c = p.g.sigma[i] / p.sea.wave_number[i], width = base::two_pi / p.g.directions;
    double sum = 0.0;
    for (int m = 0; m <= last; ++m) {
        const double end = last >= 2 && (m == 0 || m == last) ? of.end_weight : 1.0;
        const double other = p.g.sigma[m] / p.sea.wave_number[m];
        for (int n = 0; n < p.g.directions; ++n) {
            const double excess = std::sqrt(saturation[p.bin(m, n)]) - std::sqrt(of.threshold);
            if (excess <= 0.0) continue;
            const double speed = std::sqrt(
                std::max(c * c + other * other - 2.0 * c * other * std::cos(p.angle(n) - p.angle(j)), 0.0));
            sum += end * excess * excess * p.g.sigma[m] / p.sea.group_speed[m] * speed;
        }
    }
    return of.strength * 28.16 / (2.0 * base::pi * base::pi) * std::log(p.g.ratio) * width * sum;
}

}  // namespace

PlainSum whitecapping(const Plain& p) {
    PlainSum sum = p.nothing();
    const std::vector<double> b = saturation(p);
    const double strength = p.value("whitecapping"), isotropy = p.value("whitecapping_isotropy");
    const Cumulative of{p.value("whitecapping_cumulative"), p.value("cumulative_gap"),
                        p.value("cumulative_end_weight"), p.value("saturation_threshold")};
    const auto excess = [&](double value) { return std::max(value / of.threshold - 1.0, 0.0); };
    p.for_each_bin([&](int i, int j) {
        double most = 0.0;
        for (int n = 0; n < p.g.directions; ++n) most = std::max(most, b[p.bin(i, n)]);
        double rate =
            strength * p.g.sigma[i] *
            (isotropy * std::pow(excess(most), 2) + (1.0 - isotropy) * std::pow(excess(b[p.bin(i, j)]), 2));
        if (of.strength != 0.0) rate += cumulative(p, of, b, i, j);
        sum.source[p.bin(i, j)] = rate * p.energy(i, j);
    });
    return sum;
}

}  // namespace groundswell::sea::plain
