#include "groundswell/quake/basis/matrices.hpp"

#include <cmath>

#include "groundswell/quake/basis/quadrature.hpp"

namespace groundswell::quake {

namespace {

// What is zero by the algebra comes out of the quadrature as rounding. Entries are of order 1e-3 to 1e2.
void clear_rounding(Matrix& matrix) {
    for (double& value : matrix.value) {
        if (std::abs(value) < 1e-12) value = 0.0;
    }
}

// ∫_face φ_k ψ_m over the reference triangle, [basis][face basis].
Matrix face_products(int order, int face) {
    Matrix product(basis_size(order), face_basis_size(order));
    const auto rule = triangle_rule(order + 1);
    for (std::size_t p = 0; p < rule.size(); ++p) {
        const auto phi = tetrahedron_basis(order, on_face(face, rule.point[p]));
        const auto psi = triangle_basis(order, rule.point[p]);
        for (int k = 0; k < product.rows; ++k) {
            for (int m = 0; m < product.columns; ++m)
                product(k, m) += rule.weight[p] * phi[k].value * psi[m].value;
        }
    }
    return product;
}

}  // namespace

Matrix stiffness(int order, int direction) {
    Matrix matrix(basis_size(order), basis_size(order));
    const auto rule = tetrahedron_rule(order + 1);
    for (std::size_t p = 0; p < rule.size(); ++p) {
        const auto phi = tetrahedron_basis(order, rule.point[p]);
        for (int k = 0; k < matrix.rows; ++k) {
            for (int l = 0; l < matrix.columns; ++l)
                matrix(k, l) += rule.weight[p] * phi[k].gradient[direction] * phi[l].value;
        }
    }
    clear_rounding(matrix);
    return matrix;
}

Matrix derivative(int order, int direction) {
    const Matrix from = stiffness(order, direction);
    const auto mass = tetrahedron_mass(order);
    Matrix matrix(basis_size(order - 1), basis_size(order));
    for (int k = 0; k < matrix.rows; ++k) {
        for (int l = 0; l < matrix.columns; ++l) matrix(k, l) = from(l, k) / mass[k];
    }
    clear_rounding(matrix);
    return matrix;
}

Matrix trace(int order, int face) {
    const Matrix product = face_products(order, face);
    const auto mass = triangle_mass(order);
    Matrix matrix(product.columns, product.rows);
    for (int m = 0; m < matrix.rows; ++m) {
        for (int k = 0; k < matrix.columns; ++k) matrix(m, k) = product(k, m) / mass[m];
    }
    clear_rounding(matrix);
    return matrix;
}

Matrix lift(int order, int face) {
    Matrix matrix = face_products(order, face);
    const auto mass = tetrahedron_mass(order);
    for (int k = 0; k < matrix.rows; ++k) {
        for (int m = 0; m < matrix.columns; ++m) matrix(k, m) /= mass[k];
    }
    clear_rounding(matrix);
    return matrix;
}

}  // namespace groundswell::quake
