// The scheme as its papers write it (M. Dumbser and M. Käser 2006, doi:10.1111/j.1365-246X.2006.03120.x): weak form, dense
// matrices, fluxes by eigenvectors, one element at a time, neighbours found by their vertices. What kernels are held
// against.
#pragma once

#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "groundswell/quake/basis/matrices.hpp"
#include "groundswell/quake/basis/quadrature.hpp"
#include "support/quake/elements_of_box.hpp"

namespace groundswell::quake::test {

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
    return a;
}

/// q* = q + G (q beyond - q): waves that run against the normal n, by the material here and the one beyond.
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
        tensor(p, n, n, m.lambda + 2.0 * m.mu);
        tensor(p, s, s, m.lambda);
        tensor(p, t, t, m.lambda);
        tensor(s1, n, s, 2.0 * m.mu);
        tensor(s2, n, t, 2.0 * m.mu);
        for (int i = 0; i < 3; ++i) {
            r[6 + i][p] = sign * m.vp() * n[i];
            r[6 + i][s1] = sign * m.vs() * s[i];
            r[6 + i][s2] = sign * m.vs() * t[i];
        }
    };
    // Stresses of 1e10 Pa and velocities of 1e3 m/s: columns of like size keep the inverse sound.
    waves(0, 1, 2, here, 1.0);
    tensor(3, s, s, here.mu);
    tensor(4, t, t, here.mu);
    tensor(5, s, t, here.mu);
    waves(8, 7, 6, beyond, -1.0);
    Square some{};
    for (int i = 0; i < 3; ++i) some[i][i] = 1.0;
    return product(product(r, some), inverse(r));
}

/// What lies beyond a free surface: the tractions the other way round.
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

class PlainElastic {
public:
    PlainElastic(int order, const BoxElements& box) : order_(order), basis_(basis_size(order)), box_(box) {
        state.assign(box.element.size() * basis_ * 9, 0.0);
        for (int d = 0; d < 3; ++d) stiffness_[d] = stiffness(order, d);
        mass_ = tetrahedron_mass(order);
    }

    double& at(std::size_t element, int function, int quantity) {
        return state[(element * basis_ + function) * 9 + quantity];
    }

    void step(double seconds) {
        std::vector<double> integral(state.size());
        for (std::size_t e = 0; e < box_.element.size(); ++e) predict(e, seconds, integral);
        for (std::size_t e = 0; e < box_.element.size(); ++e) correct(e, integral);
    }

    std::vector<double> state;

private:
    std::array<Square, 3> star(std::size_t e) const {
        const Element& element = box_.element[e];
        return {jacobian(element.material, element.geometry.gradient[0]),
                jacobian(element.material, element.geometry.gradient[1]),
                jacobian(element.material, element.geometry.gradient[2])};
    }

    void predict(std::size_t e, double seconds, std::vector<double>& integral) const {
        const std::size_t first = e * basis_ * 9;
        const auto a = star(e);
        std::vector<double> d(state.begin() + first, state.begin() + first + basis_ * 9);
        double factor = seconds;
        for (int k = 0; k < order_; ++k) {
            for (int i = 0; i < basis_ * 9; ++i) integral[first + i] += factor * d[i];
            std::vector<double> next(d.size(), 0.0);
            for (int axis = 0; axis < 3; ++axis) {
                for (int row = 0; row < basis_; ++row) {
                    for (int column = 0; column < basis_; ++column) {
                        const double m = stiffness_[axis](column, row) / mass_[row];
                        if (m == 0.0) continue;
                        for (int i = 0; i < 9; ++i) {
                            for (int j = 0; j < 9; ++j)
                                next[row * 9 + i] -= m * a[axis][i][j] * d[column * 9 + j];
                        }
                    }
                }
            }
            d = next;
            factor *= seconds / (k + 2);
        }
    }

    void correct(std::size_t e, const std::vector<double>& integral) {
        const Element& element = box_.element[e];
        const auto a = star(e);
        const double* own = integral.data() + e * basis_ * 9;
        for (int axis = 0; axis < 3; ++axis) {
            for (int row = 0; row < basis_; ++row) {
                for (int column = 0; column < basis_; ++column) {
                    const double m = stiffness_[axis](row, column) / mass_[row];
                    for (int i = 0; i < 9; ++i) {
                        for (int j = 0; j < 9; ++j) at(e, row, i) += m * a[axis][i][j] * own[column * 9 + j];
                    }
                }
            }
        }
        const auto rule = triangle_rule(order_ + 1);
        for (int f = 0; f < 4; ++f) {
            const std::int64_t across = box_.across[e][f].cell;
            const auto& n = element.geometry.normal[f];
            const bool inner = across >= 0;
            const Square g =
                waves_that_enter(element.material, inner ? element.beyond[f] : element.material, n);
            const Square flux = jacobian(element.material, n);
            const double scale = 2.0 * element.geometry.area[f] / (6.0 * element.geometry.volume);
            for (std::size_t p = 0; p < rule.size(); ++p) {
                const auto phi = tetrahedron_basis(order_, on_face(f, rule.point[p]));
                std::array<double, 9> here{}, beyond{}, middle{}, through{};
                for (int k = 0; k < basis_; ++k) {
                    for (int i = 0; i < 9; ++i) here[i] += phi[k].value * own[k * 9 + i];
                }
                if (inner) {
                    const auto other = tetrahedron_basis(order_, place_across(e, f, rule.point[p]));
                    const double* its = integral.data() + static_cast<std::size_t>(across) * basis_ * 9;
                    for (int k = 0; k < basis_; ++k) {
                        for (int i = 0; i < 9; ++i) beyond[i] += other[k].value * its[k * 9 + i];
                    }
                } else if (element.boundary[f] == tetra::Boundary::free) {
                    const Square m = mirror(n);
                    for (int i = 0; i < 9; ++i) {
                        for (int j = 0; j < 9; ++j) beyond[i] += m[i][j] * here[j];
                    }
                }
                for (int i = 0; i < 9; ++i) {
                    middle[i] = here[i];
                    for (int j = 0; j < 9; ++j) middle[i] += g[i][j] * (beyond[j] - here[j]);
                }
                for (int i = 0; i < 9; ++i) {
                    for (int j = 0; j < 9; ++j) through[i] += flux[i][j] * middle[j];
                }
                for (int k = 0; k < basis_; ++k) {
                    for (int i = 0; i < 9; ++i)
                        at(e, k, i) -= scale * rule.weight[p] * phi[k].value / mass_[k] * through[i];
                }
            }
        }
    }

    // A place on a face in the coordinates of the element across, corner by corner.
    Point3 place_across(std::size_t e, int face, Point2 point) const {
        const auto& cell = box_.cell[e];
        const auto& other = box_.cell[box_.across[e][face].cell];
        const std::array<double, 3> share{1.0 - point[0] - point[1], point[0], point[1]};
        Point3 place{};
        for (int i = 0; i < 3; ++i) {
            for (int corner = 1; corner < 4; ++corner) {
                if (other.vertex[corner] == cell.vertex[tetra::face_corners[face][i]])
                    place[corner - 1] += share[i];
            }
        }
        return place;
    }

    int order_, basis_;
    const BoxElements& box_;
    std::array<Matrix, 3> stiffness_;
    std::vector<double> mass_;
};

}  // namespace groundswell::quake::test
