#include "groundswell/sea/source/plain.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/swell_dissipation.hpp"
#include "groundswell/sea/source/terms/four_wave.hpp"

namespace groundswell::sea {

namespace {

// A cell and the constants of its physics.
struct Plain {
    const LaneGrid& g;
    const PhysicsOptions& o;
    const SeaCell& sea;

    PlainSum nothing() const {
        return {std::vector<double>(static_cast<std::size_t>(g.bins())),
                std::vector<double>(static_cast<std::size_t>(g.frequencies))};
    }
    int bin(int i, int j) const {
        return i * g.directions + (j % g.directions + g.directions) % g.directions;
    }
    double energy(int i, int j) const {
        return sea.energy[i * g.lanes + (j % g.directions + g.directions) % g.directions];
    }
    double angle(int j) const { return base::two_pi * j / g.directions; }
    double along_wind(int j) const {
        return std::cos(angle(j)) * sea.wind_x + std::sin(angle(j)) * sea.wind_y;
    }
    template <class Body>
    void for_each_bin(const Body& body) const {
        for (int i = 0; i < g.frequencies; ++i) {
            for (int j = 0; j < g.directions; ++j) body(i, j);
        }
    }
};

PlainSum bottom_friction(const Plain& p) {
    PlainSum sum = p.nothing();
    for (int i = 0; i < p.g.frequencies; ++i) {
        const double k = p.sea.wave_number[i];
        sum.decay[i] =
            2.0 * p.o.bottom_friction / base::gravity * k / std::sinh(std::min(2.0 * k * p.sea.depth, 700.0));
    }
    return sum;
}

// The share of breakers by halving: (1 - Q)/ln Q = -(Hrms/Hm)².
double share_of_breakers(double square) {
    if (square >= 1.0) return 1.0;
    if (square < 0.04) return 0.0;
    double low = 0.0, high = square;  // exp(-(1 - Q)/b²) - Q falls through 0 once below b²
    for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (low + high);
        (std::exp(-(1.0 - middle) / square) > middle ? low : high) = middle;
    }
    return low;
}

PlainSum breaking(const Plain& p) {
    PlainSum sum = p.nothing();
    const double highest = p.o.breaking_gamma * p.o.breaking_gamma * p.sea.depth * p.sea.depth;
    double variance = p.sea.variance, remaining = p.sea.step, lost = 0.0;
    while (variance > 0.0 && remaining > 0.0) {
        const double rate = 0.25 * p.o.breaking_alpha * share_of_breakers(8.0 * variance / highest) *
                            p.sea.first_moment_frequency * highest / variance;
        if (rate * remaining < 1e-12) break;
        const double part = std::min(remaining, 0.1 / rate);
        lost += rate * part;
        variance *= std::exp(-rate * part);
        remaining -= part;
    }
    std::ranges::fill(sum.decay, lost / p.sea.step);
    return sum;
}

PlainSum linear_growth(const Plain& p) {
    PlainSum sum = p.nothing();
    const double u = p.sea.friction_velocity, ratio = p.o.air_density / p.o.water_density;
    const double filter = std::min(std::max(p.o.linear_growth_filter * base::gravity / (28.0 * u),
                                            0.5 * base::two_pi * cutoff_frequency(p.g, p.sea)),
                                   2.0 * p.g.sigma[p.g.frequencies - 1]);
    p.for_each_bin([&](int i, int j) {
        const double sigma = p.g.sigma[i];
        if (sigma < 0.5 * filter) return;
        const double along = std::max(p.along_wind(j), 0.0);
        sum.source[p.bin(i, j)] = p.o.linear_growth * ratio * ratio / (base::gravity * base::gravity) *
                                  std::pow(u * along, 4) * std::exp(-std::pow(filter / sigma, 4)) * sigma *
                                  base::two_pi /
                                  (static_cast<double>(p.sea.wave_number[i]) * p.sea.group_speed[i]);
    });
    return sum;
}

std::vector<double> saturation(const Plain& p) {
    std::vector<double> all(static_cast<std::size_t>(p.g.bins()));
    const double width = base::two_pi / p.g.directions, half = p.o.saturation_half_angle * base::degree;
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

// Short waves that long breakers wipe out: the rate in a bin.
double cumulative(const Plain& p, const std::vector<double>& saturation, int i, int j) {
    const double rows = p.o.cumulative_gap > 0.0 ? p.o.cumulative_gap / (p.g.ratio - 1.0)
                                                 : std::log(2.0) / std::log(p.g.ratio);
    const int last = i - static_cast<int>(std::lround(rows));
    const double c = p.g.sigma[i] / p.sea.wave_number[i], width = base::two_pi / p.g.directions;
    double sum = 0.0;
    for (int m = 0; m <= last; ++m) {
        const double end = last >= 2 && (m == 0 || m == last) ? p.o.cumulative_end_weight : 1.0;
        const double other = p.g.sigma[m] / p.sea.wave_number[m];
        for (int n = 0; n < p.g.directions; ++n) {
            const double excess = std::sqrt(saturation[p.bin(m, n)]) - std::sqrt(p.o.saturation_threshold);
            if (excess <= 0.0) continue;
            const double speed = std::sqrt(
                std::max(c * c + other * other - 2.0 * c * other * std::cos(p.angle(n) - p.angle(j)), 0.0));
            sum += end * excess * excess * p.g.sigma[m] / p.sea.group_speed[m] * speed;
        }
    }
    return p.o.whitecapping_cumulative * 28.16 / (2.0 * base::pi * base::pi) * std::log(p.g.ratio) * width *
           sum;
}

PlainSum whitecapping(const Plain& p) {
    PlainSum sum = p.nothing();
    const std::vector<double> b = saturation(p);
    const auto excess = [&](double value) { return std::max(value / p.o.saturation_threshold - 1.0, 0.0); };
    p.for_each_bin([&](int i, int j) {
        double most = 0.0;
        for (int n = 0; n < p.g.directions; ++n) most = std::max(most, b[p.bin(i, n)]);
        const double isotropy = p.o.whitecapping_isotropy;
        double rate =
            p.o.whitecapping * p.g.sigma[i] *
            (isotropy * std::pow(excess(most), 2) + (1.0 - isotropy) * std::pow(excess(b[p.bin(i, j)]), 2));
        if (p.o.whitecapping_cumulative != 0.0) rate += cumulative(p, b, i, j);
        sum.source[p.bin(i, j)] = rate * p.energy(i, j);
    });
    return sum;
}

// Bins around a place between frequencies and directions, and their weights.
struct Corner {
    int i, j;
    double weight;
};
std::vector<Corner> corners(const Plain& p, int i, int j, double factor, double turn) {
    const double r = p.g.ratio;
    const int row = i + static_cast<int>(std::floor(std::log(factor) / std::log(r) + 1e-9));
    const double low = std::pow(r, row - i), part = (factor - low) / (low * r - low);
    const double place = turn * p.g.directions / base::two_pi;
    const int column = static_cast<int>(std::floor(place));
    const double side = place - column;
    return {{row, j + column, (1 - part) * (1 - side)},
            {row, j + column + 1, (1 - part) * side},
            {row + 1, j + column, part * (1 - side)},
            {row + 1, j + column + 1, part * side}};
}

// Every bin gives to those that it interacts with.
PlainSum four_wave(const Plain& p) {
    PlainSum sum = p.nothing();
    const int last = p.g.frequencies - 1;
    const double lambda = p.o.four_wave_lambda, above = 1.0 + lambda, below = 1.0 - lambda;
    const double cubic = 2.0 * lambda * lambda * lambda;
    const double to_plus = std::acos((1.0 + 2.0 * lambda + cubic) / (above * above));
    const double to_minus = std::acos((1.0 - 2.0 * lambda - cubic) / (below * below));
    const double strength = p.o.four_wave / std::pow(base::gravity, 4) *
                            FourWave::depth_factor(p.sea.mean_wave_number, p.sea.depth);
    const auto spectrum = [&](int i, int j) {
        return i < 0 ? 0.0 : p.energy(std::min(i, last), j) * std::pow(p.g.ratio, -5 * std::max(i - last, 0));
    };
    const auto mean = [&](const std::vector<Corner>& all) {
        double value = 0.0;
        for (const Corner& c : all) value += c.weight * spectrum(c.i, c.j);
        return value;
    };
    const auto give = [&](int i, int j, double amount) {
        if (i >= 0 && i <= last) sum.source[p.bin(i, j)] += amount;
    };
    // Frequencies beyond the last give too, as far as they reach down into the grid.
    const int beyond = static_cast<int>(std::ceil(-std::log(below) / std::log(p.g.ratio))) + 1;
    for (int i = 0; i <= last + beyond; ++i) {
        const double f11 = std::pow(p.g.frequency[0] * std::pow(p.g.ratio, i), 11);
        for (int j = 0; j < p.g.directions; ++j) {
            for (const double mirror : {1.0, -1.0}) {
                const auto plus = corners(p, i, j, above, -mirror * to_plus);
                const auto minus = corners(p, i, j, below, mirror * to_minus);
                const double e = spectrum(i, j), e_plus = mean(plus), e_minus = mean(minus);
                const double moved = strength * f11 *
                                     (e * e * (e_plus / std::pow(above, 4) + e_minus / std::pow(below, 4)) -
                                      2.0 * e * e_plus * e_minus / std::pow(1.0 - lambda * lambda, 4));
                give(i, j, -2.0 * moved);
                for (const auto* side : {&plus, &minus})
                    for (const Corner& c : *side) give(c.i, c.j, c.weight * moved);
            }
        }
    }
    return sum;
}

PlainSum wind_input(const Plain& p) {
    PlainSum sum = p.nothing();
    const double kappa = base::von_karman, density = p.o.air_density / p.o.water_density;
    const double u = p.sea.friction_velocity, width = base::two_pi / p.g.directions;
    std::vector<Real> constant(static_cast<std::size_t>(p.g.frequency_lanes)), aligned(constant);
    SwellDissipation(std::make_shared<const LaneGrid>(
                         SpectralGrid(p.g.frequencies, p.g.directions, p.g.frequency[0], p.g.ratio)),
                     p.o)
        .rates(p.sea, u, p.sea.state->roughness, constant.data(), aligned.data());
    double taken_x = 0.0, taken_y = 0.0;
    for (int i = 0; i < p.g.frequencies; ++i) {
        const double left_x = u * u * p.sea.wind_x - p.o.sheltering * taken_x;
        const double left_y = u * u * p.sea.wind_y - p.o.sheltering * taken_y;
        const double left = std::hypot(left_x, left_y);
        const double age = std::sqrt(left) * p.sea.inverse_phase_speed[i];
        const double log_kz0 = std::log(static_cast<double>(p.sea.wave_number[i]) * p.sea.state->roughness);
        double flux_x = 0.0, flux_y = 0.0;
        for (int j = 0; j < p.g.directions; ++j) {
            const double x = std::cos(p.angle(j)), y = std::sin(p.angle(j));
            const double along = left > 0.0 ? (x * left_x + y * left_y) / left : p.along_wind(j);
            double beta = 0.0;
            if (along > 0.01) {
                const double z = log_kz0 + kappa / ((age + p.o.wave_age_shift) * along);
                const double felt = (age + p.o.growth_shift * p.o.wave_age_shift) * along;
                if (z < 0.0)
                    beta = p.g.sigma[i] * density * p.o.wind_growth / (kappa * kappa) * std::pow(z, 4) *
                           std::exp(z) * felt * felt;
            }
            const double e = p.energy(i, j);
            flux_x += beta * e * x;
            flux_y += beta * e * y;
            sum.source[p.bin(i, j)] =
                (beta - constant[i] - static_cast<double>(aligned[i]) * p.along_wind(j)) * e;
        }
        const double scale = base::gravity / density * width * p.sea.inverse_phase_speed[i] * p.g.width[i];
        taken_x += flux_x * scale;
        taken_y += flux_y * scale;
    }
    return sum;
}

}  // namespace

std::optional<PlainSum> plain_term(std::string_view name, const LaneGrid& grid, const PhysicsOptions& options,
                                   const SeaCell& sea) {
    const Plain plain{grid, options, sea};
    if (name == "wind_input") return wind_input(plain);
    if (name == "linear_growth") return linear_growth(plain);
    if (name == "whitecapping") return whitecapping(plain);
    if (name == "four_wave") return four_wave(plain);
    if (name == "bottom_friction") return bottom_friction(plain);
    if (name == "breaking") return breaking(plain);
    return std::nullopt;
}

std::vector<double> plain_step(const LaneGrid& g, const PhysicsOptions& options, const SeaCell& sea,
                               const SourceSum& sum) {
    std::vector<double> energy(static_cast<std::size_t>(g.bins()));
    const double mean = std::max(sea.windsea_mean_frequency, sea.mean_frequency), step = sea.step;
    for (int i = 0; i <= std::min(sea.cutoff, g.frequencies - 1); ++i) {
        const double f = g.frequency[i];
        const double friction = std::max<double>(sea.friction_velocity, 5.6e-3 * base::gravity / f);
        const double most = options.growth_limiter * base::gravity * mean * step * friction / std::pow(f, 4);
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
