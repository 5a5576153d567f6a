#pragma once

#include <vector>

#include "groundswell/quake/basis/polynomials.hpp"

/// The matrices of the reference tetrahedron, dense and from their definitions by quadrature. Kernels have
/// them as sparse tables that a small program writes from these while the project is built.
namespace groundswell::quake {

struct Matrix {
    int rows = 0, columns = 0;
    std::vector<double> value;  ///< [rows][columns]

    Matrix() = default;
    Matrix(int rows_, int columns_)
        : rows(rows_), columns(columns_), value(static_cast<std::size_t>(rows_) * columns_) {}

    double& operator()(int row, int column) {
        return value[static_cast<std::size_t>(row) * columns + column];
    }
    double operator()(int row, int column) const {
        return value[static_cast<std::size_t>(row) * columns + column];
    }
};

/// K_d(k, l) = ∫ (∂φ_k/∂ξ_d) φ_l, [basis][basis].
Matrix stiffness(int order, int direction);

/// M⁻¹ K_dᵀ: the coefficients of ∂u/∂ξ_d from those of u, [basis_size(order - 1)][basis_size(order)]. Exact:
/// the derivative has one degree less.
Matrix derivative(int order, int direction);

/// The coefficients on face `face`, in its own triangle, from those in the tetrahedron:
/// [face basis][basis]. Exact.
Matrix trace(int order, int face);

/// M⁻¹ ∫_face φ_k ψ_m over the reference triangle, [basis][face basis]: what a function on the face adds to
/// the tetrahedron's coefficients.
Matrix lift(int order, int face);

}  // namespace groundswell::quake
