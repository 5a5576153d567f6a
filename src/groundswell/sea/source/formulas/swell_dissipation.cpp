#include "groundswell/sea/source/formulas/swell_dissipation.hpp"

namespace groundswell::sea {

namespace {

// ker²x + kei²x of the Kelvin functions of order 0, by their series (Abramowitz & Stegun 1964, 9.9.10
// and 9.9.12).
double kelvin_square(double x) {
    constexpr double euler = 0.57721566490153286;
    const double q = 0.25 * x * x;
    double ber = 0, bei = 0, ker = 0, kei = 0;
    double term = 1.0, harmonic = 0.0;  // qⁿ/(n!)², H_n
    for (int n = 0; n < 40; ++n) {
        const double sign = (n / 2) % 2 == 0 ? 1.0 : -1.0;
        const double digamma = harmonic - euler;
        (n % 2 == 0 ? ber : bei) += sign * term;
        (n % 2 == 0 ? ker : kei) += sign * term * digamma;
        term *= q / ((n + 1.0) * (n + 1.0));
        harmonic += 1.0 / (n + 1.0);
    }
    const double logarithm = std::log(0.5 * x);
    ker += -logarithm * ber + 0.25 * base::pi * bei;
    kei += -logarithm * bei - 0.25 * base::pi * ber;
    return ker * ker + kei * kei;
}

}  // namespace

SwellDissipation::SwellDissipation(const PhysicsOptions& options)
    : density_ratio_(options[common::air_density] / options[common::water_density]),
      turbulent_(options[turbulent]),
      alignment_(options[wind_alignment]),
      mean_(options[wind_mean]),
      critical_(options[critical_reynolds]),
      exponent_(options[reynolds_exponent]),
      width_(options[reynolds_width]),
      viscous_(options[viscous]),
      roughness_ratio_(options[roughness_ratio]),
      roughness_limit_(options[roughness_limit]) {
    static const std::array<double, table_size + 1> table = make_table();
    table_ = table;
}

std::array<double, SwellDissipation::table_size + 1> SwellDissipation::make_table() {
    std::array<double, table_size + 1> table{};
    for (int i = 0; i <= table_size; ++i) {
        const double amplitude = std::pow(10.0, table_first + i * (table_last - table_first) / table_size);
        // f = 0.08/(ker² + kei²)(2√ζ), ζ = 1/(21.2 κ a √f): damped fixed point.
        double factor = 0.05, zeta = 0.0;
        for (int iteration = 0; iteration < 100; ++iteration) {
            zeta = 0.5 * (zeta + 1.0 / (21.2 * base::von_karman * amplitude * std::sqrt(factor)));
            factor = 0.5 * (factor + 0.08 / kelvin_square(2.0 * std::sqrt(zeta)));
        }
        table[static_cast<std::size_t>(i)] = factor;
    }
    return table;
}

}  // namespace groundswell::sea
