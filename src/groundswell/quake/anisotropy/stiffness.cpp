#include "groundswell/quake/anisotropy/stiffness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/quake/elastic.hpp"

namespace groundswell::quake {

namespace {

// Where a row of people's matrix stands among the stresses.
constexpr int place_of_row[6] = {Elastic::xx, Elastic::yy, Elastic::zz,
                                 Elastic::yz, Elastic::xz, Elastic::xy};

Square6 turned(const Square6& stated) {
    Square6 matrix;
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) matrix[place_of_row[i]][place_of_row[j]] = stated[i][j];
    }
    return matrix;
}

// Directions to look from, one of each opposite pair: along axes, between two of them, and between all.
template <class Look>
void from_all_sides(const Look& look) {
    for (int x = 0; x <= 1; ++x) {
        for (int y = -1; y <= 1; ++y) {
            for (int z = -1; z <= 1; ++z) {
                if (x == 0 && (y < 0 || (y == 0 && z <= 0))) continue;
                const double length = std::sqrt(x * x + y * y + z * z);
                look(std::array<double, 3>{x / length, y / length, z / length});
            }
        }
    }
}

}  // namespace

std::string name_of_constant(int constant) {
    int row = 0;
    while (constant >= 6 - row) constant -= 6 - row++;
    return fmt::format("c{}{}", row + 1, row + constant + 1);
}

// Jacobi's rotations; each makes an element zero, until all are in rounding.
Eigen3 eigen_of(Square3 a) {
    Square3 v{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    for (int sweep = 0; sweep < 30; ++sweep) {
        if (a[0][1] == 0.0 && a[0][2] == 0.0 && a[1][2] == 0.0) break;
        for (const auto& [p, q] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
            const double small = a[p][q];
            if (std::abs(small) <= 1e-17 * (std::abs(a[p][p]) + std::abs(a[q][q]))) {
                a[p][q] = a[q][p] = 0.0;
                continue;
            }
            const double half = 0.5 * (a[q][q] - a[p][p]) / small;
            const double t = (half < 0.0 ? -1.0 : 1.0) / (std::abs(half) + std::sqrt(1.0 + half * half));
            const double c = 1.0 / std::sqrt(1.0 + t * t), s = t * c;
            a[p][p] -= t * small;
            a[q][q] += t * small;
            a[p][q] = a[q][p] = 0.0;
            const int r = 3 - p - q;
            const double rp = a[r][p], rq = a[r][q];
            a[r][p] = a[p][r] = c * rp - s * rq;
            a[r][q] = a[q][r] = s * rp + c * rq;
            for (auto& axis : v) {
                const double vp = axis[p], vq = axis[q];
                axis[p] = c * vp - s * vq;
                axis[q] = s * vp + c * vq;
            }
        }
    }
    std::array<int, 3> order{0, 1, 2};
    std::ranges::stable_sort(order, {}, [&](int i) { return a[i][i]; });
    Eigen3 found{};
    for (int k = 0; k < 3; ++k) {
        found.value[k] = a[order[k]][order[k]];
        for (int i = 0; i < 3; ++i) found.vector[k][i] = v[i][order[k]];
    }
    return found;
}

// By Cholesky's factors.
Inverse6 inverse_of(const Square6& symmetric) {
    Inverse6 found{{}, 6};
    Square6 lower{}, inverse{};
    for (int j = 0; j < 6; ++j) {
        for (int i = j; i < 6; ++i) {
            double rest = symmetric[i][j];
            for (int k = 0; k < j; ++k) rest -= lower[i][k] * lower[j][k];
            // What is left of a constant in rounding is nothing.
            if (i == j && !(rest > 1e-14 * symmetric[j][j])) return {{}, j};
            lower[i][j] = i == j ? std::sqrt(rest) : rest / lower[j][j];
        }
    }
    for (int j = 0; j < 6; ++j) {
        for (int i = j; i < 6; ++i) {
            double rest = i == j ? 1.0 : 0.0;
            for (int k = j; k < i; ++k) rest -= lower[i][k] * inverse[k][j];
            inverse[i][j] = rest / lower[i][i];
        }
    }
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            for (int k = std::max(i, j); k < 6; ++k) found.matrix[i][j] += inverse[k][i] * inverse[k][j];
        }
    }
    return found;
}

Square6 matrix_of(std::span<const double> constants) {
    Square6 matrix;
    std::size_t next = 0;
    for (int i = 0; i < 6; ++i) {
        for (int j = i; j < 6; ++j) matrix[i][j] = matrix[j][i] = constants[next++];
    }
    return matrix;
}

Stiffness::Stiffness(std::span<const double> constants) : stiffness_(turned(matrix_of(constants))) {
    const Inverse6 inverse = inverse_of(stiffness_);
    GS_ASSERT(inverse.definite == 6);
    compliance_ = inverse.matrix;
}

Stiffness Stiffness::of_compliance(const Square6& compliance) {
    Stiffness made;
    made.compliance_ = compliance;
    made.stiffness_ = inverse_of(compliance).matrix;
    return made;
}

Square3 Stiffness::christoffel(const std::array<double, 3>& d) const {
    Square3 gamma{};
    for (int i = 0; i < 3; ++i) {
        for (int k = i; k < 3; ++k) {
            for (int j = 0; j < 3; ++j) {
                for (int l = 0; l < 3; ++l)
                    gamma[i][k] += stiffness_[Elastic::stress(i, j)][Elastic::stress(k, l)] * d[j] * d[l];
            }
            gamma[k][i] = gamma[i][k];
        }
    }
    return gamma;
}

Square3 Stiffness::impedance(double density, const std::array<double, 3>& n) const {
    const Eigen3 waves = eigen_of(christoffel(n));
    Square3 z{};
    for (int w = 0; w < 3; ++w) {
        const double one = std::sqrt(density * waves.value[w]);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) z[i][j] += one * waves.vector[w][i] * waves.vector[w][j];
        }
    }
    return z;
}

// The modulus of a wave is c_ijkl p_i d_j p_k d_l, where polarisation p and direction d may change places: the one is turned to
// the best for the other until nothing is gained, from all sides.
Stiffness::Range Stiffness::moduli() const {
    Range range{1e300, 0.0};
    from_all_sides([&](const std::array<double, 3>& side) {
        for (const int wave : {0, 2}) {
            std::array<double, 3> turn = side;
            double modulus = 0.0;
            for (int i = 0; i < 200; ++i) {
                const Eigen3 waves = eigen_of(christoffel(turn));
                const double before = std::exchange(modulus, waves.value[wave]);
                if (std::abs(modulus - before) <= 1e-15 * modulus) break;
                turn = waves.vector[wave];
            }
            if (wave == 0)
                range.least = std::min(range.least, modulus);
            else
                range.greatest = std::max(range.greatest, modulus);
        }
    });
    return range;
}

}  // namespace groundswell::quake
