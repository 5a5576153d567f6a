#include "groundswell/sea/source/plain/plain_term.hpp"

namespace groundswell::sea::plain {

namespace {

// S of the bins that the wind feeds, or of those that it does not.
std::vector<double> part_of(const Plain& p, bool fed) {
    std::vector<double> all(static_cast<std::size_t>(p.g.bins()));
    const double density = p.value("air_density") / p.value("water_density");
    p.for_each_bin([&](int i, int j) {
        const double w = p.value("donelan_speed") * p.sea.friction_velocity * p.sea.inverse_phase_speed[i] *
                             p.along_wind(j) -
                         1.0;
        if ((w > 0.0) != fed) return;
        const double x = std::sqrt(p.saturation(i)) * w * w, g = 2.8 - (1.0 + std::tanh(10.0 * x - 11.0));
        all[p.bin(i, j)] = density * p.g.sigma[i] * g * x * p.energy(i, j);
    });
    return all;
}

}  // namespace

PlainSum wind_donelan(const Plain& p) {
    PlainSum sum = p.nothing();
    const std::vector<double> grown = part_of(p, true), lost = part_of(p, false);
    const double density = p.value("air_density") / p.value("water_density"), u = p.sea.friction_velocity;
    const double wind = p.sea.wind_speed, felt = p.value("donelan_speed") * u;
    const double viscous = std::min(std::max(1.1e-3 - 5e-5 * wind, 0.0) * wind * wind, 0.95 * u * u);
    const int last = p.g.frequencies - 1;
    const double interval = 0.5 * (p.g.ratio - 1.0 / p.g.ratio);
    const auto factor = [&](double mu, double over_speed) {
        return std::min(1.0, std::exp(mu * (1.0 - felt * over_speed)));
    };
    // All stress, for waves of up to 10 Hz.
    const auto stress = [&](double mu) {
        double x = viscous * p.sea.wind_x, y = viscous * p.sea.wind_y;
        for (int i = 0; i <= last || p.g.frequency[0] * std::pow(p.g.ratio, i) < 10.0; ++i) {
            const double f = p.g.frequency[0] * std::pow(p.g.ratio, i);
            const int row = std::min(i, last);
            const double over_speed =
                i > last ? base::two_pi * f / base::gravity : p.sea.inverse_phase_speed[i];
            const double width = i < last ? p.g.width[i] : interval * f;
            const double scale = base::gravity / density * over_speed * width * factor(mu, over_speed) *
                                 std::pow(p.g.frequency[row] / f, 2) * base::two_pi / p.g.directions;
            for (int j = 0; j < p.g.directions; ++j) {
                x += scale * grown[p.bin(row, j)] * std::cos(p.angle(j));
                y += scale * grown[p.bin(row, j)] * std::sin(p.angle(j));
            }
        }
        return std::hypot(x, y);
    };
    double low = 0.0, high = stress(0.0) > u * u ? 1.0 : 0.0;
    while (high > 0.0 && stress(high) > u * u) high *= 2.0;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (stress(middle) > u * u ? low : high) = middle;
    }
    p.for_each_bin([&](int i, int j) {
        const int bin = p.bin(i, j);
        sum.source[bin] =
            factor(high, p.sea.inverse_phase_speed[i]) * grown[bin] - p.value("donelan_negative") * lost[bin];
    });
    return sum;
}

}  // namespace groundswell::sea::plain
