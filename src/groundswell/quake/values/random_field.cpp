#include "groundswell/quake/values/random_field.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "groundswell/base/constants.hpp"

namespace groundswell::quake {

namespace {

constexpr int waves = 500;

// ∫ κ² (1 + κ²)^(−H − 3/2) dκ from 0 on, κ being wave numbers times the correlation length: how much of the variance waves as long
// or longer have, at κ = sinh of multiples of a step, up to a largest.
struct Spectrum {
    static constexpr int steps = 2000;
    double step;
    std::vector<double> until{0.0};

    Spectrum(double hurst, double largest) : step(std::asinh(largest) / steps) {
        const auto density = [&](double x) {
            const double kappa = std::sinh(x);
            return kappa * kappa * std::pow(std::cosh(x), -2.0 * hurst - 2.0);
        };
        for (int i = 0; i < steps; ++i)
            until.push_back(
                until.back() +
                step / 6.0 * (density(i * step) + 4.0 * density((i + 0.5) * step) + density((i + 1) * step)));
    }
    // The κ below which a share of the variance lies.
    double below(double share) const {
        const double wanted = share * until.back();
        const auto above =
            std::clamp<std::ptrdiff_t>(std::ranges::upper_bound(until, wanted) - until.begin(), 1, steps);
        const double part = (wanted - until[above - 1]) / (until[above] - until[above - 1]);
        return std::sinh((static_cast<double>(above - 1) + part) * step);
    }
};

}  // namespace

RandomField::RandomField(const Numbers& numbers) {
    const Spectrum spectrum(numbers.hurst, 2.0 * base::pi * numbers.correlation_length / numbers.shortest);
    // The engine's numbers, and so the field, are the same with any library.
    std::mt19937_64 engine(static_cast<std::uint64_t>(numbers.seed));
    const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53; };
    for (int i = 0; i < waves; ++i) {
        const double number = spectrum.below((i + uniform()) / waves) / numbers.correlation_length;
        const double up = 2.0 * uniform() - 1.0, along = std::sqrt(1.0 - up * up);
        const double azimuth = 2.0 * base::pi * uniform(), phase = 2.0 * base::pi * uniform();
        waves_.push_back(
            {{number * along * std::cos(azimuth), number * along * std::sin(azimuth), number * up}, phase});
    }
}

double RandomField::at(const std::array<double, 3>& place) const {
    double sum = 0.0;
    for (const auto& [number, phase] : waves_)
        sum += std::cos(number[0] * place[0] + number[1] * place[1] + number[2] * place[2] + phase);
    return std::sqrt(2.0 / waves) * sum;
}

}  // namespace groundswell::quake
