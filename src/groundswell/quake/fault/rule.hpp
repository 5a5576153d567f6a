#pragma once

#include <array>
#include <span>
#include <vector>

#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/quake/basis/quadrature.hpp"

/// Places and times at which friction is computed on the face of a fault.
namespace groundswell::quake {

/// Choice of the places of a face. Those of the symmetric rule do not depend on the order in which a mesh has the corners of
/// a face, so that what is symmetric stays so, and there are fewer: 6, 12, 16, 25, 33 and 42 of orders 2 to 7, where the
/// conical product has (order + 1)². Both integrate products of polynomials of the scheme and of two degrees more exactly.
enum class FacePoints { symmetric, conical };

/// Part of the normal traction that strength feels: all of it, or none of its highest degrees, smooth_functions.
enum class FacePressure { smooth, full };

/// The corner of a face, by its place in FaultPlace::corner's ascending order, towards which the points of the conical product
/// crowd: the one that they crowd to in SeisSol on the same mesh, where a file's order of a cell's corners decides.
int crowded_corner(const tetra::Tetrahedron& cell, int face);
/// The corner of a face that comes first in the file.
int first_corner(const tetra::Tetrahedron& cell, int face);

/// Places of a face and times of a step for one order of the scheme.
///
/// Times are those of Gauss and Legendre, as many as the order. Between
/// one time and the next slip goes on at the rate of the later one; the last such sub-step ends with the step. That, and the
/// sums of tractions with the weights of the rule, is how J. de la Puente, J.-P. Ampuero and M. Käser (2009,
/// doi:10.1029/2008JB006271) and C. Pelties et al. (2012, doi:10.1029/2011JB008857) put friction into this scheme.
struct FaultRule {
    explicit FaultRule(int order, FacePoints points = FacePoints::symmetric,
                       FacePressure pressure = FacePressure::smooth);

    /// Functions on a face whose normal traction strength feels with FacePressure::smooth: of degrees up to order - 3, or 0. In the highest degrees slip
    /// barely strains the rock, so that it creeps there, and on unstructured meshes presses unevenly. If strength fell where
    /// pressure does, both would grow: single points of a face opened, and slipped three times as far as others.
    static constexpr int smooth_functions(int order) { return face_basis_size(order > 3 ? order - 2 : 1); }
    /// Coefficients of all derivatives of a quantity on a face: derivative k has face_basis_size(order - k).
    static constexpr int rows(int order) { return order * (order + 1) * (order + 2) / 6; }

    /// The most points that a rule of either kind has.
    static constexpr int most_points(int order) { return (order + 1) * (order + 1); }

    int order, basis;          ///< functions on a face
    int pressing;              ///< of them, those whose normal traction strength feels
    Quadrature<Point2> place;  ///< in the face's triangle
    std::vector<double> at;    ///< [point][basis]: the functions at a point
    std::vector<double> onto;  ///< [basis][point]: the projection of values at points onto the functions
    std::vector<double> time;  ///< of a step of length 1
    std::vector<double> weight;
    std::vector<double> substep;  ///< from the time before, or the start; the last one to the end

    int points() const { return static_cast<int>(place.size()); }

    /// Coefficients of what is given by coefficients on the triangle of corners (a, b, c), on that whose corners are these from
    /// the `turn`-th on: [row][column].
    std::vector<double> turned(int turn) const;
};

/// The plane nearest to values at the points of a face.
class NearestPlane {
public:
    explicit NearestPlane(const Quadrature<Point2>& at);
    /// Its slope on a face with these corners, per m.
    double steepness(std::span<const double> value, const std::array<tetra::Point, 3>& corner) const;

private:
    std::vector<Point2> slope_;  // [point]: weights of the values in the slopes along χ and τ
};

}  // namespace groundswell::quake
