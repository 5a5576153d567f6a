#pragma once

#include <vector>

#include "groundswell/quake/basis/quadrature.hpp"

/// Where and when friction is computed on the face of a fault.
namespace groundswell::quake {

/// Places of a face and times of a step for one order of the scheme.
///
/// Places are those of the rule of (order + 1)² points, times those of Gauss and Legendre, as many as the order. Between
/// one time and the next slip goes on at the rate of the later one; the last such sub-step ends with the step. That, and the
/// sums of tractions with the weights of the rule, is how J. de la Puente, J.-P. Ampuero and M. Käser (2009,
/// doi:10.1029/2008JB006271) and C. Pelties et al. (2012, doi:10.1029/2011JB008857) put friction into this scheme.
struct FaultRule {
    explicit FaultRule(int order);

    int order, basis;  ///< functions on a face
    /// Of them, those whose normal traction strength feels: of degrees up to order - 3, or 0. In the highest degrees slip barely
    /// strains the rock, so that it creeps there, and on unstructured meshes presses unevenly. If strength fell where pressure
    /// does, both would grow: single points of a face opened, and slipped three times as far as others.
    int pressing;
    Quadrature<Point2> place;  ///< in the face's triangle
    std::vector<double> at;    ///< [point][basis]: the functions at a point
    std::vector<double> onto;  ///< [basis][point]: the projection of values at points onto the functions
    std::vector<double> time;  ///< of a step of length 1
    std::vector<double> weight;
    std::vector<double> substep;  ///< from the time before, or the start; the last one to the end

    int points() const { return static_cast<int>(place.size()); }
    /// Coefficients of all derivatives of a quantity on a face: derivative k has face_basis_size(order - k).
    int rows() const { return order * (order + 1) * (order + 2) / 6; }
};

}  // namespace groundswell::quake
