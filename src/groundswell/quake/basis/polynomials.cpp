#include "groundswell/quake/basis/polynomials.hpp"

namespace groundswell::quake {

namespace {

// A function of three variables with its gradient; of two where the third is not used.
struct Dual {
    double value = 0.0;
    std::array<double, 3> gradient{};
};

Dual operator+(Dual a, const Dual& b) {
    a.value += b.value;
    for (int d = 0; d < 3; ++d) a.gradient[d] += b.gradient[d];
    return a;
}

Dual operator*(double factor, Dual a) {
    a.value *= factor;
    for (double& g : a.gradient) g *= factor;
    return a;
}

Dual operator*(const Dual& a, const Dual& b) {
    Dual product{a.value * b.value, {}};
    for (int d = 0; d < 3; ++d) product.gradient[d] = a.gradient[d] * b.value + a.value * b.gradient[d];
    return product;
}

// yⁿ P_n^{a,0}(x/y) for n = 0…last, by the recurrence of the Jacobi polynomials (NIST Digital Library of
// Mathematical Functions, 18.9.1 and 18.9.2, with β = 0), each step multiplied by y.
std::vector<Dual> scaled_jacobi(int last, double a, const Dual& x, const Dual& y) {
    std::vector<Dual> p{{1.0, {}}};
    if (last >= 1) p.push_back(0.5 * ((a + 2.0) * x + a * y));
    for (int n = 1; n < last; ++n) {
        const double c = 2.0 * n + a;
        const double below = 2.0 * (n + 1) * (n + a + 1.0) * c;
        const double of_x = (c + 1.0) * (c + 2.0) * c / below;
        const double of_y = (c + 1.0) * a * a / below;
        const double before = 2.0 * (n + a) * n * (c + 2.0) / below;
        p.push_back((of_x * x + of_y * y) * p[n] + -before * (y * y * p[n - 1]));
    }
    return p;
}

}  // namespace

Point3 on_face(int face, Point2 point) {
    const auto& corner = face_corners[face];
    const std::array<double, 3> share{1.0 - point[0] - point[1], point[0], point[1]};
    Point3 place{};
    for (int i = 0; i < 3; ++i) {
        if (corner[i] > 0) place[corner[i] - 1] += share[i];
    }
    return place;
}

std::vector<ValueAndGradient<3>> tetrahedron_basis(int order, Point3 point) {
    const Dual xi{point[0], {1, 0, 0}}, eta{point[1], {0, 1, 0}}, zeta{point[2], {0, 0, 1}}, one{1.0, {}};
    const Dual minus_one{-1.0, {}};
    const int last = order - 1;
    const auto first = scaled_jacobi(last, 0.0, 2.0 * xi + minus_one + eta + zeta, one + -1.0 * (eta + zeta));
    std::vector<ValueAndGradient<3>> values;
    values.reserve(basis_size(order));
    std::vector<std::vector<Dual>> second, third;  // by i; by i + j
    for (int i = 0; i < order; ++i) {
        second.push_back(
            scaled_jacobi(last - i, 2.0 * i + 1.0, 2.0 * eta + minus_one + zeta, one + -1.0 * zeta));
        third.push_back(scaled_jacobi(last - i, 2.0 * i + 2.0, 2.0 * zeta + minus_one, one));
    }
    for (int degree = 0; degree < order; ++degree) {
        for (int k = 0; k <= degree; ++k) {
            for (int j = 0; j <= degree - k; ++j) {
                const int i = degree - j - k;
                const Dual phi = first[i] * second[i][j] * third[i + j][k];
                values.push_back({phi.value, phi.gradient});
            }
        }
    }
    return values;
}

std::vector<ValueAndGradient<2>> triangle_basis(int order, Point2 point) {
    const Dual chi{point[0], {1, 0, 0}}, tau{point[1], {0, 1, 0}}, one{1.0, {}}, minus_one{-1.0, {}};
    const int last = order - 1;
    const auto first = scaled_jacobi(last, 0.0, 2.0 * chi + minus_one + tau, one + -1.0 * tau);
    std::vector<ValueAndGradient<2>> values;
    values.reserve(face_basis_size(order));
    for (int degree = 0; degree < order; ++degree) {
        for (int j = 0; j <= degree; ++j) {
            const int i = degree - j;
            const auto second = scaled_jacobi(j, 2.0 * i + 1.0, 2.0 * tau + minus_one, one);
            const Dual phi = first[i] * second[j];
            values.push_back({phi.value, {phi.gradient[0], phi.gradient[1]}});
        }
    }
    return values;
}

std::vector<double> tetrahedron_mass(int order) {
    std::vector<double> mass;
    for (int degree = 0; degree < order; ++degree) {
        for (int k = 0; k <= degree; ++k) {
            for (int j = 0; j <= degree - k; ++j) {
                const int i = degree - j - k;
                mass.push_back(1.0 / ((2.0 * i + 1.0) * (2.0 * i + 2.0 * j + 2.0) *
                                      (2.0 * i + 2.0 * j + 2.0 * k + 3.0)));
            }
        }
    }
    return mass;
}

std::vector<double> triangle_mass(int order) {
    std::vector<double> mass;
    for (int degree = 0; degree < order; ++degree) {
        for (int j = 0; j <= degree; ++j) {
            const int i = degree - j;
            mass.push_back(1.0 / ((2.0 * i + 1.0) * (2.0 * i + 2.0 * j + 2.0)));
        }
    }
    return mass;
}

}  // namespace groundswell::quake
