// The polynomials, the rules that integrate them, and the matrices of the reference tetrahedron.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "groundswell/quake/basis/matrices.hpp"
#include "groundswell/quake/basis/quadrature.hpp"

namespace {

using namespace groundswell::quake;

double factorial(int n) {
    return std::tgamma(n + 1.0);
}

TEST(QuakeBasis, RulesAreExact) {
    // ∫ ξᵃ ηᵇ ζᶜ = a! b! c! / (a + b + c + 3)!
    for (int n = 1; n <= 8; ++n) {
        const auto volume = tetrahedron_rule(n);
        const auto face = triangle_rule(n);
        for (int a = 0; a < 2 * n; ++a) {
            for (int b = 0; a + b < 2 * n; ++b) {
                double sum = 0.0;
                for (std::size_t p = 0; p < face.size(); ++p)
                    sum += face.weight[p] * std::pow(face.point[p][0], a) * std::pow(face.point[p][1], b);
                EXPECT_NEAR(sum, factorial(a) * factorial(b) / factorial(a + b + 2), 1e-15);
                const int c = 2 * n - 1 - a - b;
                sum = 0.0;
                for (std::size_t p = 0; p < volume.size(); ++p) {
                    sum += volume.weight[p] * std::pow(volume.point[p][0], a) *
                           std::pow(volume.point[p][1], b) * std::pow(volume.point[p][2], c);
                }
                EXPECT_NEAR(sum, factorial(a) * factorial(b) * factorial(c) / factorial(2 * n + 2), 1e-15);
            }
        }
    }
}

TEST(QuakeBasis, SymmetricRulesAreExactAndSymmetric) {
    for (int degree = 4; degree <= 14; degree += 2) {
        const auto rule = symmetric_triangle_rule(degree);
        const auto sum_of = [&](int a, int b) {
            double sum = 0.0;
            for (std::size_t p = 0; p < rule.size(); ++p)
                sum += rule.weight[p] * std::pow(rule.point[p][0], a) * std::pow(rule.point[p][1], b);
            return sum;
        };
        for (int a = 0; a <= degree; ++a) {
            for (int b = 0; a + b <= degree; ++b)
                EXPECT_NEAR(sum_of(a, b), factorial(a) * factorial(b) / factorial(a + b + 2), 1e-15);
        }
        const int above = degree + 1;  // no rule of so few points integrates all of these
        double worst = 0.0;
        for (int a = 0; a <= above; ++a) {
            const double exact = factorial(a) * factorial(above - a) / factorial(above + 2);
            worst = std::max(worst, std::abs(sum_of(a, above - a) / exact - 1.0));
        }
        EXPECT_GT(worst, 1e-7) << degree;
        for (std::size_t p = 0; p < rule.size(); ++p) {
            const auto [x, y] = rule.point[p];
            EXPECT_GT(rule.weight[p], 0.0);
            EXPECT_GT(std::min({x, y, 1.0 - x - y}), 0.0);
            // Each corner sees the same, and so does a mirror.
            for (const Point2& other : {Point2{y, x}, Point2{x, 1.0 - x - y}, Point2{1.0 - x - y, y}}) {
                const auto is_there = [&](const Point2& at) {
                    return std::hypot(at[0] - other[0], at[1] - other[1]) < 1e-14;
                };
                const auto found = std::ranges::find_if(rule.point, is_there);
                ASSERT_NE(found, rule.point.end());
                EXPECT_EQ(rule.weight[found - rule.point.begin()], rule.weight[p]);
            }
        }
    }
}

TEST(QuakeBasis, FunctionsAreOrthogonalAndOfTheMassTold) {
    constexpr int order = highest_order;
    const auto mass = tetrahedron_mass(order);
    const auto rule = tetrahedron_rule(order);
    Matrix product(basis_size(order), basis_size(order));
    for (std::size_t p = 0; p < rule.size(); ++p) {
        const auto phi = tetrahedron_basis(order, rule.point[p]);
        for (int k = 0; k < product.rows; ++k) {
            for (int l = 0; l < product.columns; ++l)
                product(k, l) += rule.weight[p] * phi[k].value * phi[l].value;
        }
    }
    for (int k = 0; k < product.rows; ++k) {
        for (int l = 0; l < product.columns; ++l) EXPECT_NEAR(product(k, l), k == l ? mass[k] : 0.0, 1e-14);
    }
    const double lowest[10] = {1. / 6,   1. / 60, 1. / 20, 1. / 10, 1. / 210,
                               1. / 126, 1. / 42, 1. / 84, 1. / 28, 1. / 14};
    for (int k = 0; k < 10; ++k) EXPECT_NEAR(mass[k], lowest[k], 1e-16);
}

TEST(QuakeBasis, LowerOrdersAreTheFirstFunctionsOfHigherOnes) {
    const Point3 place{0.13, 0.31, 0.27};
    const auto all = tetrahedron_basis(highest_order, place);
    for (int order = lowest_order; order < highest_order; ++order) {
        const auto some = tetrahedron_basis(order, place);
        ASSERT_EQ(static_cast<int>(some.size()), basis_size(order));
        for (int k = 0; k < basis_size(order); ++k) EXPECT_EQ(some[k].value, all[k].value);
    }
}

TEST(QuakeBasis, DerivativesAreThoseOfTheFunctions) {
    for (int order = lowest_order; order <= highest_order; ++order) {
        const Point3 place{0.21, 0.17, 0.4};
        const auto phi = tetrahedron_basis(order, place);
        for (int d = 0; d < 3; ++d) {
            const Matrix matrix = derivative(order, d);
            for (int l = 0; l < basis_size(order); ++l) {
                double sum = 0.0;
                for (int k = 0; k < matrix.rows; ++k) sum += matrix(k, l) * phi[k].value;
                EXPECT_NEAR(sum, phi[l].gradient[d], 1e-11 * order);
            }
        }
    }
}

TEST(QuakeBasis, TracesAreTheFunctionsOnTheFaces) {
    const Point2 place{0.35, 0.23};
    for (int order = lowest_order; order <= highest_order; ++order) {
        const auto psi = triangle_basis(order, place);
        for (int face = 0; face < 4; ++face) {
            const auto phi = tetrahedron_basis(order, on_face(face, place));
            const Matrix matrix = trace(order, face);
            for (int l = 0; l < basis_size(order); ++l) {
                double sum = 0.0;
                for (int m = 0; m < matrix.rows; ++m) sum += matrix(m, l) * psi[m].value;
                EXPECT_NEAR(sum, phi[l].value, 1e-12);
            }
        }
    }
}

TEST(QuakeBasis, VolumeAndFacesGiveTheSameByParts) {
    // K_d + K_dᵀ = Σ over faces of n_d times area: the reference faces' n·2A are (0,0,-1), (0,-1,0), (-1,0,0), (1,1,1).
    constexpr double outward[4][3] = {{0, 0, -1}, {0, -1, 0}, {-1, 0, 0}, {1, 1, 1}};
    for (int order = lowest_order; order <= highest_order; ++order) {
        const auto mass = tetrahedron_mass(order);
        for (int d = 0; d < 3; ++d) {
            const Matrix k = stiffness(order, d);
            Matrix sum(k.rows, k.columns);
            for (int face = 0; face < 4; ++face) {
                const Matrix on = trace(order, face), off = lift(order, face);
                for (int row = 0; row < k.rows; ++row) {
                    for (int column = 0; column < k.columns; ++column) {
                        for (int m = 0; m < on.rows; ++m)
                            sum(row, column) += outward[face][d] * mass[row] * off(row, m) * on(m, column);
                    }
                }
            }
            for (int row = 0; row < k.rows; ++row) {
                for (int column = 0; column < k.columns; ++column)
                    EXPECT_NEAR(k(row, column) + k(column, row), sum(row, column), 1e-12);
            }
        }
    }
}

}  // namespace
