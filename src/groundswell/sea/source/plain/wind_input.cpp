#include <array>

#include "groundswell/sea/source/formulas/swell_dissipation.hpp"
#include "groundswell/sea/source/plain/plain_term.hpp"
#include "groundswell/sea/source/team.hpp"

namespace groundswell::sea::plain {

PlainSum wind_input(const Plain& p) {
    PlainSum sum = p.nothing();
    const double kappa = base::von_karman, density = p.value("air_density") / p.value("water_density");
    const double growth = p.value("wind_growth"), shift = p.value("wave_age_shift");
    const double growth_shift = p.value("growth_shift"), sheltering = p.value("sheltering");
    const double u = p.sea.friction_velocity, width = base::two_pi / p.g.directions;
    std::vector<Real> constant(static_cast<std::size_t>(p.g.frequency_lanes)), aligned(constant);
    const LaneGrid grid(SpectralGrid(p.g.frequencies, p.g.directions, p.g.frequency[0], p.g.ratio));
    std::array<Real, 3> shared{};
    SwellDissipation(p.options).rates(RegisterTeam{}, grid, p.sea, u, p.sea.state->roughness, shared.data(),
                                      constant.data(), aligned.data());
    double taken_x = 0.0, taken_y = 0.0;
    for (int i = 0; i < p.g.frequencies; ++i) {
        const double left_x = u * u * p.sea.wind_x - sheltering * taken_x;
        const double left_y = u * u * p.sea.wind_y - sheltering * taken_y;
        const double left = std::hypot(left_x, left_y);
        const double age = std::sqrt(left) * p.sea.inverse_phase_speed[i];
        const double log_kz0 = std::log(static_cast<double>(p.sea.wave_number[i]) * p.sea.state->roughness);
        std::vector<double> betas;
        double n = 0.0, n_across = 0.0;
        for (int j = 0; j < p.g.directions; ++j) {
            const double x = std::cos(p.angle(j)), y = std::sin(p.angle(j));
            const double along = left > 0.0 ? (x * left_x + y * left_y) / left : p.along_wind(j);
            double beta = 0.0;
            if (along > 0.01) {
                const double z = log_kz0 + kappa / ((age + shift) * along);
                const double felt = (age + growth_shift * shift) * along;
                if (z < 0.0)
                    beta = p.g.sigma[i] * density * growth / (kappa * kappa) * std::pow(z, 4) * std::exp(z) *
                           felt * felt;
            }
            betas.push_back(beta);
            n += beta * p.energy(i, j);
            n_across += beta * p.energy(i, j) * (1.0 - along * along);
        }
        const double k = p.sea.wave_number[i];
        const double strength =
            p.value("growth_renormalisation") * (1.6 + 0.6 * std::tanh(p.sea.wind_speed - 33.0)) * k * k *
            p.sea.group_speed[i] * width / (base::two_pi * kappa * std::sqrt(left) * density);
        double flux_x = 0.0, flux_y = 0.0;
        for (int j = 0; j < p.g.directions; ++j) {
            const double x = std::cos(p.angle(j)), y = std::sin(p.angle(j)), e = p.energy(i, j);
            const double beta =
                betas[static_cast<std::size_t>(j)] * (1.0 + strength * n_across) / (1.0 + strength * n);
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

}  // namespace groundswell::sea::plain
