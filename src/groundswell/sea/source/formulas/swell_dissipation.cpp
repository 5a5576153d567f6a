#include "groundswell/sea/source/formulas/swell_dissipation.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"

namespace groundswell::sea {

namespace {

constexpr double air_viscosity = 1.5e-5;  // m² s⁻¹
constexpr int table_size = 200;
constexpr double table_first = 0.3, table_last = 8.0;  // log10 of amplitude over roughness

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

SwellDissipation::SwellDissipation(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
    : grid_(std::move(grid)),
      density_ratio_(options[common::air_density] / options[common::water_density]),
      turbulent_(options[turbulent]),
      alignment_(options[wind_alignment]),
      mean_(options[wind_mean]),
      critical_(options[critical_reynolds]),
      exponent_(options[reynolds_exponent]),
      width_(options[reynolds_width]),
      viscous_(options[viscous]),
      roughness_ratio_(options[roughness_ratio]),
      roughness_limit_(options[roughness_limit]) {
    for (int i = 0; i <= table_size; ++i) {
        const double amplitude = std::pow(10.0, table_first + i * (table_last - table_first) / table_size);
        // f = 0.08/(ker² + kei²)(2√ζ), ζ = 1/(21.2 κ a √f): damped fixed point.
        double factor = 0.05, zeta = 0.0;
        for (int iteration = 0; iteration < 100; ++iteration) {
            zeta = 0.5 * (zeta + 1.0 / (21.2 * base::von_karman * amplitude * std::sqrt(factor)));
            factor = 0.5 * (factor + 0.08 / kelvin_square(2.0 * std::sqrt(zeta)));
        }
        table_.push_back(factor);
    }
}

double SwellDissipation::friction_factor(double amplitude_over_roughness) const {
    const double logarithm = exec::lanes::log(std::max(amplitude_over_roughness, 1.0)) * 0.43429448190325182;
    const double position = (logarithm - table_first) * table_size / (table_last - table_first);
    const double bounded = std::clamp(position, 0.0, static_cast<double>(table_size));
    const int below = std::min(static_cast<int>(bounded), table_size - 1);
    const double part = bounded - below;
    return table_[below] * (1.0 - part) + table_[below + 1] * part;
}

void SwellDissipation::rates(const SeaCell& sea, double friction_velocity, double roughness, Real* constant,
                             Real* aligned) const {
    const LaneGrid& g = *grid_;
    double orbital = 0.0, elevation = 0.0;
    for (int i = 0; i < g.frequencies; ++i) {
        const double variance = static_cast<double>(g.width[i]) * sea.row_energy[i];
        orbital += variance * g.sigma[i] * g.sigma[i];
        elevation += variance;
    }
    const double speed = 2.0 * std::sqrt(orbital);        // significant orbital speed, m s⁻¹
    const double amplitude = 2.0 * std::sqrt(elevation);  // half the significant height, m
    // WAVEWATCH III has m0 in place of its root here: an amplitude times a quarter of the height.
    const double length = exponent_ == 0.5 ? amplitude : 2.0 * std::pow(elevation, exponent_);
    const double reynolds = 4.0 * speed * length / air_viscosity;
    const double turbulent_weight = 0.5 + 0.5 * exec::lanes::tanh((reynolds - critical_) / width_);
    const double smooth = 0.11 * air_viscosity / std::max(friction_velocity, 1e-4);
    const double felt =
        std::max(smooth, roughness_ratio_ *
                             (roughness_limit_ > 0.0 ? std::min(roughness_limit_, roughness) : roughness));
    const double drag = friction_factor(amplitude / felt) * speed + mean_ * friction_velocity;

    const double common = density_ratio_ * turbulent_weight * turbulent_ * 16.0 / base::gravity;
    const double layer =
        density_ratio_ * (1.0 - turbulent_weight) * viscous_ * 2.0 * std::sqrt(2.0 * air_viscosity);
    const Real turbulent_constant = static_cast<Real>(common * drag);
    const Real turbulent_aligned = static_cast<Real>(common * alignment_ * friction_velocity);
    const Real viscous_constant = static_cast<Real>(layer);
    const Real* sigma = g.sigma.data();
    const Real* wave_number = sea.wave_number;
#pragma omp simd
    for (int i = 0; i < g.frequency_lanes; ++i) {
        const Real square = sigma[i] * sigma[i];
        constant[i] = viscous_constant * std::sqrt(sigma[i]) * wave_number[i] + turbulent_constant * square;
        aligned[i] = turbulent_aligned * square;
    }
}

}  // namespace groundswell::sea
