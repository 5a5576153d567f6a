#pragma once

#include <vector>

#include "groundswell/quake/basis/polynomials.hpp"

/// Rules that integrate polynomials over the reference triangle and tetrahedron: conical products of
/// Gauss–Jacobi rules (A. H. Stroud 1971, "Approximate Calculation of Multiple Integrals", section 2.5).
namespace groundswell::quake {

template <class Point>
struct Quadrature {
    std::vector<Point> point;
    std::vector<double> weight;

    std::size_t size() const { return point.size(); }
};

/// n points on [-1, 1] for the weight (1 - x)^alpha, exact to degree 2n - 1; ascending. alpha = 0 is the rule
/// of Gauss and Legendre.
Quadrature<double> gauss_jacobi(int n, int alpha);

/// n² points on the triangle, weights adding up to 1/2; n³ in the tetrahedron, weights adding up to 1/6. Exact
/// to degree 2n - 1.
Quadrature<Point2> triangle_rule(int n);
Quadrature<Point3> tetrahedron_rule(int n);

/// A rule for the triangle that is the same whichever corner comes first, weights adding up to 1/2, all of them positive and
/// all places inside (D. A. Dunavant 1985, doi:10.1002/nme.1620210612). Exact to degrees 4, 6, 8, 10, 12 or 14, by 6, 12, 16,
/// 25, 33 or 42 points.
Quadrature<Point2> symmetric_triangle_rule(int degree);

}  // namespace groundswell::quake
