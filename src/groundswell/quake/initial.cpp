#include "groundswell/quake/initial.hpp"

#include <cmath>

#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/basis/quadrature.hpp"

namespace groundswell::quake {

std::array<double, 9> plane_wave(const InitialSection& wave, const Material& material,
                                 const tetra::Point& place, double time) {
    const auto& k = wave.wave_number;
    const double length = std::hypot(k[0], k[1], k[2]);
    const double speed = wave.wave == 'P' ? material.vp() : material.vs();
    std::array<double, 3> n{}, d{};
    for (int j = 0; j < 3; ++j) n[j] = d[j] = k[j] / length;
    if (wave.wave == 'S') {
        const auto& p = wave.polarisation;
        const double along = p[0] * n[0] + p[1] * n[1] + p[2] * n[2];
        for (int j = 0; j < 3; ++j) d[j] = p[j] - along * n[j];
        const double across = std::hypot(d[0], d[1], d[2]);
        for (double& one : d) one /= across;
    }
    const double phase = k[0] * place[0] + k[1] * place[1] + k[2] * place[2] - length * speed * time;
    const double velocity = wave.amplitude * std::cos(phase), strain = -velocity / speed;
    const double trace = d[0] * n[0] + d[1] * n[1] + d[2] * n[2];
    const auto stress = [&](int i, int j) {
        return strain *
               (material.mu * (n[i] * d[j] + d[i] * n[j]) + (i == j ? material.lambda * trace : 0.0));
    };
    return {stress(0, 0), stress(1, 1),    stress(2, 2),    stress(0, 1),   stress(1, 2),
            stress(0, 2), velocity * d[0], velocity * d[1], velocity * d[2]};
}

template <class Real>
void set_initial(const Case& run, const Domain& domain, Wavefield<Real>& field) {
    if (run.initial.state == InitialState::rest) return;
    const int order = run.solver.order;
    const auto mass = tetrahedron_mass(order);
    const auto rule = tetrahedron_rule(order + 2);
    std::vector<std::vector<ValueAndGradient<3>>> basis;
    for (const auto& point : rule.point) basis.push_back(tetrahedron_basis(order, point));
    for (std::int32_t cell = 0; cell < domain.mesh.owned; ++cell) {
        const auto& corner = domain.mesh.cell[cell].place;
        std::vector<std::array<double, 9>> sum(mass.size(), std::array<double, 9>{});
        for (std::size_t p = 0; p < rule.size(); ++p) {
            tetra::Point place = corner[0];
            for (int d = 0; d < 3; ++d) {
                for (int j = 0; j < 3; ++j) place[j] += rule.point[p][d] * (corner[d + 1][j] - corner[0][j]);
            }
            const auto wave = plane_wave(run.initial, domain.material[cell], place, 0.0);
            for (std::size_t k = 0; k < mass.size(); ++k) {
                for (int q = 0; q < 9; ++q) sum[k][q] += rule.weight[p] * basis[p][k].value * wave[q];
            }
        }
        for (std::size_t k = 0; k < mass.size(); ++k) {
            for (int q = 0; q < 9; ++q)
                field.coefficient(cell, static_cast<int>(k), q) = static_cast<Real>(sum[k][q] / mass[k]);
        }
    }
}

template void set_initial(const Case&, const Domain&, Wavefield<float>&);
template void set_initial(const Case&, const Domain&, Wavefield<double>&);

}  // namespace groundswell::quake
