#include "groundswell/quake/basis/quadrature.hpp"

#include <cmath>
#include <numbers>

namespace groundswell::quake {

namespace {

struct Jacobi {
    double value, slope;
};

// P_n^{alpha,0} and its derivative at x inside (-1, 1) (DLMF 18.9.1, 18.9.2 and 18.9.17).
Jacobi jacobi(int n, double alpha, double x) {
    double before = 1.0, p = 0.5 * (alpha + (alpha + 2.0) * x);
    for (int m = 1; m < n; ++m) {
        const double c = 2.0 * m + alpha;
        const double below = 2.0 * (m + 1) * (m + alpha + 1.0) * c;
        const double next = ((c + 1.0) * ((c + 2.0) * c * x + alpha * alpha) * p -
                             2.0 * (m + alpha) * m * (c + 2.0) * before) /
                            below;
        before = p;
        p = next;
    }
    const double c = 2.0 * n + alpha;
    const double slope = (n * (alpha - c * x) * p + 2.0 * (n + alpha) * n * before) / (c * (1.0 - x * x));
    return {p, slope};
}

}  // namespace

Quadrature<double> gauss_jacobi(int n, int alpha) {
    Quadrature<double> rule;
    // Roots one by one from below: Newton's method on P divided by the roots that are known already.
    for (int i = 0; i < n; ++i) {
        double x = -std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5 * (alpha + 1)));
        if (i > 0) x = 0.5 * (x + rule.point.back());
        for (int pass = 0; pass < 100; ++pass) {
            const Jacobi p = jacobi(n, alpha, x);
            double poles = 0.0;
            for (const double root : rule.point) poles += 1.0 / (x - root);
            const double step = p.value / (p.slope - poles * p.value);
            x -= step;
            if (std::abs(step) < 1e-16) break;
        }
        rule.point.push_back(x);
        const double slope = jacobi(n, alpha, x).slope;
        rule.weight.push_back(std::exp2(alpha + 1) / ((1.0 - x * x) * slope * slope));
    }
    return rule;
}

Quadrature<Point2> triangle_rule(int n) {
    const auto across = gauss_jacobi(n, 0), up = gauss_jacobi(n, 1);
    Quadrature<Point2> rule;
    for (int j = 0; j < n; ++j) {
        const double tau = 0.5 * (1.0 + up.point[j]);
        for (int i = 0; i < n; ++i) {
            rule.point.push_back({0.5 * (1.0 + across.point[i]) * (1.0 - tau), tau});
            rule.weight.push_back(across.weight[i] * up.weight[j] / 8.0);
        }
    }
    return rule;
}

Quadrature<Point3> tetrahedron_rule(int n) {
    const auto across = gauss_jacobi(n, 0), along = gauss_jacobi(n, 1), up = gauss_jacobi(n, 2);
    Quadrature<Point3> rule;
    for (int k = 0; k < n; ++k) {
        const double zeta = 0.5 * (1.0 + up.point[k]);
        for (int j = 0; j < n; ++j) {
            const double eta = 0.5 * (1.0 + along.point[j]) * (1.0 - zeta);
            for (int i = 0; i < n; ++i) {
                rule.point.push_back({0.5 * (1.0 + across.point[i]) * (1.0 - eta - zeta), eta, zeta});
                rule.weight.push_back(across.weight[i] * along.weight[j] * up.weight[k] / 64.0);
            }
        }
    }
    return rule;
}

}  // namespace groundswell::quake
