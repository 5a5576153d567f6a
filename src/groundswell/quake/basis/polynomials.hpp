#pragma once

#include <array>
#include <vector>

/// The polynomials in which the earthquake model writes its unknowns: Dubiner's orthogonal basis of the
/// tetrahedron and of the triangle (M. Dubiner 1991, doi:10.1007/BF01060030; G. E. Karniadakis and S. J.
/// Sherwin 2005, "Spectral/hp Element Methods", section 3.2), not normalised, ordered by total degree, so that
/// the functions of a lower order are the first of a higher one.
namespace groundswell::quake {

/// Orders that the program knows: polynomials of degree order - 1.
inline constexpr int lowest_order = 2, highest_order = 7;

/// Functions of degree below `order` on the tetrahedron, and on the triangle.
constexpr int basis_size(int order) {
    return order * (order + 1) * (order + 2) / 6;
}
constexpr int face_basis_size(int order) {
    return order * (order + 1) / 2;
}

using Point2 = std::array<double, 2>;
using Point3 = std::array<double, 3>;

/// The reference tetrahedron has the corners (0,0,0), (1,0,0), (0,1,0), (0,0,1). Its faces are named by the
/// corners they join, ascending; face f lies opposite to corner 3 - f. A point of a face is
/// corner[0] (1 - χ - τ) + corner[1] χ + corner[2] τ.
inline constexpr std::array<std::array<int, 3>, 4> face_corners{{{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}}};

/// Where a point (χ, τ) of face `face` lies in the reference tetrahedron.
Point3 on_face(int face, Point2 point);

/// A value and its derivatives along the reference axes.
template <std::size_t dimensions>
struct ValueAndGradient {
    double value = 0.0;
    std::array<double, dimensions> gradient{};
};

/// All functions of degree below `order` at a point, which may lie outside:
///
///     φ_ijk = K_i^{0,0}(2ξ−1+η+ζ, 1−η−ζ) · K_j^{2i+1,0}(2η−1+ζ, 1−ζ) · P_k^{2i+2j+2,0}(2ζ−1)
///
/// with K_n^{a,b}(x, y) = yⁿ P_n^{a,b}(x/y) and the Jacobi polynomials P. Within one total degree d: k = 0…d
/// outermost, then j = 0…d−k, i = d−j−k.
std::vector<ValueAndGradient<3>> tetrahedron_basis(int order, Point3 point);

/// φ_ij = K_i^{0,0}(2χ−1+τ, 1−τ) · P_j^{2i+1,0}(2τ−1). Within one degree d: j = 0…d, i = d−j.
std::vector<ValueAndGradient<2>> triangle_basis(int order, Point2 point);

/// ∫φ² over the reference tetrahedron: 1 / [(2i+1)(2i+2j+2)(2i+2j+2k+3)]; over the triangle:
/// 1 / [(2i+1)(2i+2j+2)].
std::vector<double> tetrahedron_mass(int order);
std::vector<double> triangle_mass(int order);

}  // namespace groundswell::quake
