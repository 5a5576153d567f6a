#pragma once

#include <array>
#include <cmath>
#include <utility>

#include "groundswell/quake/material.hpp"

/// The elastic wave equations as papers write them, with dense matrices and eigenvectors (M. Dumbser and M. Käser 2006,
/// doi:10.1111/j.1365-246X.2006.03120.x): what kernels are held against.
namespace groundswell::quake::plain {

using Square = std::array<std::array<double, 9>, 9>;

inline Square product(const Square& a, const Square& b) {
    Square c{};
    for (int i = 0; i < 9; ++i) {
        for (int k = 0; k < 9; ++k) {
            for (int j = 0; j < 9; ++j) c[i][j] += a[i][k] * b[k][j];
        }
    }
    return c;
}

inline Square inverse(Square a) {
    Square b{};
    for (int i = 0; i < 9; ++i) b[i][i] = 1.0;
    for (int i = 0; i < 9; ++i) {
        int best = i;
        for (int k = i; k < 9; ++k) {
            if (std::abs(a[k][i]) > std::abs(a[best][i])) best = k;
        }
        std::swap(a[i], a[best]);
        std::swap(b[i], b[best]);
        const double pivot = a[i][i];
        for (int j = 0; j < 9; ++j) {
            a[i][j] /= pivot;
            b[i][j] /= pivot;
        }
        for (int k = 0; k < 9; ++k) {
            if (k == i) continue;
            const double factor = a[k][i];
            for (int j = 0; j < 9; ++j) {
                a[k][j] -= factor * a[i][j];
                b[k][j] -= factor * b[i][j];
            }
        }
    }
    return b;
}

/// A with q_t + A ∂q/∂s = 0 for a direction s of any length.
inline Square jacobian(const Material& m, const std::array<double, 3>& s) {
    constexpr int of[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    Square a{};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            a[6 + i][of[i][j]] += -s[j] / m.density;
            a[of[j][j]][6 + i] += -s[i] * m.lambda;
            if (i == j) a[of[i][i]][6 + i] += -2.0 * m.mu * s[i];
            if (i != j) a[of[i][j]][6 + i] += -m.mu * s[j];
        }
    }
    if (!m.is_anisotropic()) return a;
    const Square6& c = m.stiffness->matrix();
    for (int q = 0; q < 6; ++q) {
        for (int i = 0; i < 3; ++i) {
            a[q][6 + i] = 0.0;
            for (int j = 0; j < 3; ++j) a[q][6 + i] -= c[q][of[i][j]] * s[j];
        }
    }
    return a;
}

/// q* = q + G (q beyond - q): waves that run against the normal n, by the material here and the one beyond. Beside a liquid the
/// S waves of rock bear no traction, and the liquid slips: it moves along the face by itself.
inline Square waves_that_enter(const Material& here, const Material& beyond, const std::array<double, 3>& n) {
    std::array<double, 3> s{};
    const int least = std::abs(n[0]) < 0.6 ? 0 : 1;
    s[least] = 1.0;
    const double along = n[least];
    double length = 0.0;
    for (int j = 0; j < 3; ++j) {
        s[j] -= along * n[j];
        length += s[j] * s[j];
    }
    for (double& x : s) x /= std::sqrt(length);
    const std::array<double, 3> t{n[1] * s[2] - n[2] * s[1], n[2] * s[0] - n[0] * s[2],
                                  n[0] * s[1] - n[1] * s[0]};
    Square r{};
    const auto tensor = [&](int column, const std::array<double, 3>& a, const std::array<double, 3>& b,
                            double factor) {
        constexpr int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
        for (int q = 0; q < 6; ++q) {
            const auto [i, j] = pair[q];
            r[q][column] += 0.5 * factor * (a[i] * b[j] + a[j] * b[i]);
        }
    };
    const auto waves = [&](int p, int s1, int s2, const Material& m, double sign) {
        if (m.is_anisotropic()) {
            const Eigen3 found = eigen_of(m.stiffness->christoffel(n));
            const Square normal = jacobian(m, n);
            for (const auto& [column, w] : {std::pair{s1, 0}, std::pair{s2, 1}, std::pair{p, 2}}) {
                for (int i = 0; i < 3; ++i) {
                    for (int q = 0; q < 6; ++q) r[q][column] -= normal[q][6 + i] * found.vector[w][i];
                    r[6 + i][column] = sign * std::sqrt(found.value[w] / m.density) * found.vector[w][i];
                }
            }
            return;
        }
        tensor(p, n, n, m.lambda + 2.0 * m.mu);
        tensor(p, s, s, m.lambda);
        tensor(p, t, t, m.lambda);
        // Nothing is left to tell how two liquids slip: the second set is whatever makes the matrix whole.
        const bool none = here.is_liquid() && beyond.is_liquid() && sign < 0.0;
        const double shear = none ? m.lambda : m.mu, slip = m.is_liquid() && !none ? m.vp() : m.vs();
        tensor(s1, n, s, 2.0 * shear);
        tensor(s2, n, t, 2.0 * shear);
        for (int i = 0; i < 3; ++i) {
            r[6 + i][p] = sign * m.vp() * n[i];
            r[6 + i][s1] = sign * slip * s[i];
            r[6 + i][s2] = sign * slip * t[i];
        }
    };
    // Stresses of 1e10 Pa and velocities of 1e3 m/s: columns of like size keep the inverse sound.
    waves(0, 1, 2, here, 1.0);
    const double size = here.lambda + 2.0 * here.mu;
    tensor(3, s, s, size);
    tensor(4, t, t, size);
    tensor(5, s, t, size);
    waves(8, 7, 6, beyond, -1.0);
    Square some{};
    for (int i = 0; i < 3; ++i) some[i][i] = 1.0;
    return product(product(r, some), inverse(r));
}

/// Image state beyond a free surface: the tractions the other way round.
inline Square mirror(const std::array<double, 3>& n) {
    Square m{};
    for (int i = 0; i < 9; ++i) m[i][i] = 1.0;
    // σ - 2 (n tᵀ + t nᵀ) + 2 (n·t) n nᵀ, with t = σ n.
    constexpr int of[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    constexpr int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
    for (int q = 0; q < 6; ++q) {
        const auto [i, j] = pair[q];
        for (int k = 0; k < 3; ++k) {
            m[q][of[j][k]] += -2.0 * n[i] * n[k];
            m[q][of[i][k]] += -2.0 * n[j] * n[k];
            for (int l = 0; l < 3; ++l) m[q][of[l][k]] += 2.0 * n[i] * n[j] * n[l] * n[k];
        }
    }
    return m;
}

}  // namespace groundswell::quake::plain
