#include "groundswell/quake/elements/coefficients.hpp"

namespace groundswell::quake {

namespace {

// The stiffness of rock of either kind.
Square6 stiffness_of(const Material& m) {
    if (m.is_anisotropic()) return m.stiffness->matrix();
    Square6 matrix{};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) matrix[i][j] = m.lambda + (i == j ? 2.0 * m.mu : 0.0);
        matrix[3 + i][3 + i] = m.mu;
    }
    return matrix;
}

Square3 impedance_of(const Material& m, const std::array<double, 3>& n) {
    if (m.is_anisotropic()) return m.stiffness->impedance(m.density, n);
    Square3 z;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) z[i][j] = (m.zp() - m.zs()) * n[i] * n[j] + (i == j ? m.zs() : 0.0);
    }
    return z;
}

// By cofactors.
Square3 inverse_of(const Square3& a) {
    Square3 inverse;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const int p = (j + 1) % 3, q = (j + 2) % 3, r = (i + 1) % 3, s = (i + 2) % 3;
            inverse[i][j] = a[p][r] * a[q][s] - a[p][s] * a[q][r];
        }
    }
    const double determinant = a[0][0] * inverse[0][0] + a[0][1] * inverse[1][0] + a[0][2] * inverse[2][0];
    for (auto& row : inverse) {
        for (double& one : row) one /= determinant;
    }
    return inverse;
}

}  // namespace

Elastic::Material<double> coefficients_of(const Element& element) {
    const Material& m = element.material;
    Elastic::Material<double> values{};
    for (int d = 0; d < 3; ++d) {
        for (int j = 0; j < 3; ++j) values.gradient[d][j] = element.geometry.gradient[d][j];
    }
    values.lambda = m.lambda;
    values.mu = m.mu;
    values.buoyancy = 1.0 / m.density;
    values.vp_minus_vs = m.vp() - m.vs();
    values.vs = m.vs();
    return values;
}

Elastic::Face<double> coefficients_of(const Element& element, int face) {
    const bool inner = element.boundary[face] == tetra::Boundary::none;
    const Material& beyond = inner ? element.beyond[face] : element.material;
    Elastic::Face<double> values{};
    for (int j = 0; j < 3; ++j) values.normal[j] = element.geometry.normal[face][j];
    values.scale = element.geometry.area[face] / (3.0 * element.geometry.volume);
    values.present = element.boundary[face] == tetra::Boundary::absorbing ? 0.0 : 1.0;
    if (element.material.is_liquid() && element.boundary[face] == tetra::Boundary::free)
        values.present = -1.0;
    values.zp = beyond.zp();
    values.zs = beyond.zs();
    values.per_zp = 1.0 / (element.material.zp() + beyond.zp());
    // Between liquids no S wave enters; what a liquid gets of one changes nothing in it.
    const double zs = element.material.zs() + beyond.zs();
    values.per_zs = zs > 0.0 ? 1.0 / zs : 0.0;
    return values;
}

Anisotropic::Material<double> anisotropic_coefficients_of(const Element& element) {
    Anisotropic::Material<double> values{};
    for (int d = 0; d < 3; ++d) {
        for (int j = 0; j < 3; ++j) values.gradient[d][j] = element.geometry.gradient[d][j];
    }
    const Square6 stiffness = stiffness_of(element.material);
    for (int i = 0; i < 6; ++i) {
        for (int j = i; j < 6; ++j) values.stiffness[Anisotropic::upper(i, j)] = stiffness[i][j];
    }
    values.buoyancy = 1.0 / element.material.density;
    return values;
}

Anisotropic::Face<double> anisotropic_coefficients_of(const Element& element, int face) {
    const bool inner = element.boundary[face] == tetra::Boundary::none;
    const auto& n = element.geometry.normal[face];
    const Square3 here = impedance_of(element.material, n);
    const Square3 beyond = inner ? impedance_of(element.beyond[face], n) : here;
    Anisotropic::Face<double> values{};
    for (int j = 0; j < 3; ++j) values.normal[j] = n[j];
    values.present = element.boundary[face] == tetra::Boundary::absorbing ? 0.0 : 1.0;
    const double scale = element.geometry.area[face] / (3.0 * element.geometry.volume);
    Square3 sum;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) sum[i][j] = here[i][j] + beyond[i][j];
    }
    const Square3 per = inverse_of(sum);
    const Square6 stiffness = stiffness_of(element.material);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            values.pulled[Elastic::stress(i, j)] = scale * per[i][j];
            values.impulse[Elastic::stress(i, j)] = here[i][j] / element.material.density;
            for (int k = 0; k < 3; ++k) values.pushed[i][j] += scale * per[i][k] * beyond[k][j];
        }
    }
    for (int q = 0; q < 6; ++q) {
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) values.pressed[q][i] += stiffness[q][Elastic::stress(i, j)] * n[j];
        }
    }
    return values;
}

}  // namespace groundswell::quake
