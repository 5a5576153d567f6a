#pragma once

#include <algorithm>

#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/basis/sparse.hpp"
#include "groundswell/quake/basis/tables.hpp"
#include "groundswell/quake/kernels/kernels.hpp"

/// One time step of one element, or of a pack of elements, in the ADER discontinuous Galerkin method (M. Käser and
/// M. Dumbser 2006, doi:10.1111/j.1365-246X.2006.03051.x; M. Dumbser, M. Käser and E. F. Toro 2007,
/// doi:10.1111/j.1365-246X.2007.03427.x).
///
/// In an element of constant material the volume term needs no kernel of its own. Integrated by parts once more, it is
/// the time integral of what the predictor's derivatives are made of, and that is the Taylor series itself:
/// `predict` leaves the state that the element would have if nothing came in through its faces, `correct` adds
/// the waves that do. Of these there are three, so that the face's matrix acts on three columns.
namespace groundswell::quake {

/// One row of the derivatives of a state, [basis][n quantities], along the reference axes: of the first `width` quantities.
template <class Real, int order, int width, int n, class Value>
inline __attribute__((always_inline)) void derive_row(int row, const Value* state, Value (&along)[3][n]) {
#pragma GCC unroll 3
    for (auto& values : along) std::fill_n(values, width, Value{});
    add_row_product<Real, tables::derivative<order, 0>, width, n>(row, state, along[0]);
    add_row_product<Real, tables::derivative<order, 1>, width, n>(row, state, along[1]);
    add_row_product<Real, tables::derivative<order, 2>, width, n>(row, state, along[2]);
}

/// Computes one row of the rate of change of a state, [basis][quantity].
template <class Equation, class Real, int order, class Value>
inline __attribute__((always_inline)) void differentiate_row(
    const typename Equation::template Material<Value>& material, int row, const Value* state,
    Value (&rate)[Equation::quantities]) {
    Value along[3][Equation::quantities];
    derive_row<Real, order, Equation::quantities, Equation::quantities>(row, state, along);
    Equation::rate(material, along, rate);
}

/// The expansion of one derivative in time, [basis][quantity], into the next one, which has one degree less; adds
/// `integral_factor` and `state_factor` times it to `integral` and `state`.
template <class Equation, class Real, int order, class Value>
inline __attribute__((always_inline)) void differentiate(
    const typename Equation::template Material<Value>& material, const Value* from, Value* to,
    Real integral_factor, Real state_factor, Value* integral, Value* state) {
    constexpr int n = Equation::quantities;
    for (int row = 0; row < basis_size(order - 1); ++row) {
        Value rate[n];
        differentiate_row<Equation, Real, order>(material, row, from, rate);
#pragma GCC unroll 16
        for (int q = 0; q < n; ++q) {
            to[row * n + q] = rate[q];
            integral[row * n + q] += integral_factor * rate[q];
            state[row * n + q] += state_factor * rate[q];
        }
    }
}

/// Behind the coefficients of a state, [basis][quantity], those of its derivatives in time: each has one degree less than that
/// before it.
template <class Equation, class Real, int order, class Value>
inline __attribute__((always_inline)) void derive(const typename Equation::template Material<Value>& material,
                                                  Value* state) {
    if constexpr (order > 1) {
        constexpr int n = Equation::quantities;
        Value* const to = state + basis_size(order) * n;
        for (int row = 0; row < basis_size(order - 1); ++row) {
            Value rate[n];
            differentiate_row<Equation, Real, order>(material, row, state, rate);
#pragma GCC unroll 16
            for (int q = 0; q < n; ++q) to[row * n + q] = rate[q];
        }
        derive<Equation, Real, order - 1>(material, to);
    }
}

template <class Equation, class Real, int order, class Value, class Also>
inline __attribute__((always_inline)) void predict_from(
    int derivative, Real step, Real factor, const typename Equation::template Material<Value>& material,
    const Value* from, Value* integral, Value* state, const Also& also) {
    if constexpr (order > 1) {
        constexpr int values = basis_size(order - 1) * Equation::quantities;
        Value to[values];
        const Real next = factor * step / static_cast<Real>(derivative + 1);
        differentiate<Equation, Real, order>(material, from, to, next, factor, integral, state);
        also(derivative, to, values);
        predict_from<Equation, Real, order - 1>(derivative + 1, step, next, material, to, integral, state,
                                                also);
    }
}

/// From the state at the start of a step, [basis][quantity], its integral over the step, and in `state` what it
/// becomes with no wave entering. `also(k, values, n)` sees every derivative of the state, k = 0 the state itself: its
/// first n values, the others are zero.
template <class Equation, class Real, int order, class Value, class Also>
inline __attribute__((always_inline)) void predict(
    const typename Equation::template Material<Value>& material, Real step, Value* state, Value* integral,
    const Also& also) {
    constexpr int values = basis_size(order) * Equation::quantities;
    for (int i = 0; i < values; ++i) integral[i] = step * state[i];
    also(0, state, values);
    // The first derivative is of the state at the start, row by row in the place where the state changes: a row is made of
    // later ones, which are as they were.
    static_assert(is_above_diagonal<tables::derivative<order, 0>> &&
                  is_above_diagonal<tables::derivative<order, 1>> &&
                  is_above_diagonal<tables::derivative<order, 2>>);
    // Its factor in the state is step; in the integral step² / 2.
    predict_from<Equation, Real, order>(1, step, step, material, state, integral, state, also);
}

/// The integrals over all but the last of `pieces` pieces of a step, [piece][values], from one derivative after the other: `also` of
/// predict.
template <class Real, int pieces, int values, class Value>
struct PieceSums {
    Real length;  ///< of a piece
    Value* piece;
    mutable Real factor = 1;  ///< lengthᵏ⁺¹ / (k + 1)!

    __attribute__((always_inline)) void operator()(int k, const Value* derivative, int n) const {
        factor *= length / static_cast<Real>(k + 1);
        for (int s = 0; s + 1 < pieces; ++s) {
            // ∫ tᵏ from s to s + 1, times k + 1.
            Real above = 1, below = 1;
            for (int i = 0; i <= k; ++i) {
                above *= static_cast<Real>(s + 1);
                below *= static_cast<Real>(s);
            }
            const Real weight = (above - below) * factor;
            Value* to = piece + s * values;
            if (k == 0) {
                for (int i = 0; i < n; ++i) to[i] = weight * derivative[i];
            } else {
                for (int i = 0; i < n; ++i) to[i] += weight * derivative[i];
            }
        }
    }
};

/// The same, and the integrals over all but the last of `pieces` equal pieces of the step, [piece][basis][quantity]: for
/// neighbours that step so much oftener. The last piece is what remains of the whole.
template <class Equation, class Real, int order, int pieces, class Value>
inline __attribute__((always_inline)) void predict_pieces(
    const typename Equation::template Material<Value>& material, Real step, Value* state, Value* integral,
    Value* piece) {
    predict<Equation, Real, order>(
        material, step, state, integral,
        PieceSums<Real, pieces, basis_size(order) * Equation::quantities, Value>{step / pieces, piece});
}

/// Integral at a face as the element across needs it: [face basis][traction, velocity]. `meanwhile(row)` is called
/// before each row, for what a processor does at the same time.
template <class Equation, class Real, int order, int face, class Value, class Meanwhile>
inline __attribute__((always_inline)) void project(const typename Equation::template Face<Value>& geometry,
                                                   const Value* integral, Value* trace,
                                                   const Meanwhile& meanwhile) {
    constexpr int n = Equation::quantities, width = Equation::face_quantities;
    Value side[basis_size(order) * width];
    for (int row = 0; row < basis_size(order); ++row)
        Equation::side(integral + row * n, geometry.normal, side + row * width);
    for (int row = 0; row < face_basis_size(order); ++row) {
        meanwhile(row);
        Value sum[width] = {};
        add_row_product<Real, tables::trace<order, face>, width, width>(row, side, sum);
#pragma GCC unroll 8
        for (int i = 0; i < width; ++i) trace[row * width + i] = sum[i];
    }
}

/// Adds to the state what enters through the four faces, [face][face basis][wave]. `meanwhile`: as in project.
template <class Equation, class Real, int order, class Value, class Meanwhile>
inline __attribute__((always_inline)) void correct(
    const typename Equation::template Material<Value>& material,
    const typename Equation::template Face<Value>* faces, const Value* entering, Value* state,
    const Meanwhile& meanwhile) {
    constexpr int n = Equation::quantities, waves = Equation::waves;
    constexpr int apart = face_basis_size(order) * waves;
    for (int row = 0; row < basis_size(order); ++row) {
        meanwhile(row);
        Value change[4][waves] = {};
        add_row_product<Real, tables::lift<order, 0>, waves, waves>(row, entering, change[0]);
        add_row_product<Real, tables::lift<order, 1>, waves, waves>(row, entering + apart, change[1]);
        add_row_product<Real, tables::lift<order, 2>, waves, waves>(row, entering + 2 * apart, change[2]);
        add_row_product<Real, tables::lift<order, 3>, waves, waves>(row, entering + 3 * apart, change[3]);
        Value q[n];
#pragma GCC unroll 16
        for (int i = 0; i < n; ++i) q[i] = state[row * n + i];
#pragma GCC unroll 4
        for (int face = 0; face < 4; ++face) Equation::add_flux(material, faces[face], change[face], q);
#pragma GCC unroll 16
        for (int i = 0; i < n; ++i) state[row * n + i] = q[i];
    }
}

/// Operations of predict; of them `sums` for each number of a derivative that goes into sums.
template <class Equation, int order>
constexpr double predict_operations(double sums) {
    if constexpr (order == 1) {
        return 0.0;
    } else {
        constexpr int n = Equation::quantities, rows = basis_size(order - 1);
        constexpr int entries = tables::derivative<order, 0>.entries + tables::derivative<order, 1>.entries +
                                tables::derivative<order, 2>.entries;
        return 2.0 * n * entries + rows * (Equation::rate_operations + sums * n) +
               predict_operations<Equation, order - 1>(sums);
    }
}

/// Operations of a step, by kernel.
template <class Equation, int order>
constexpr KernelWork work_of() {
    constexpr int entries = tables::trace<order, 0>.entries + tables::trace<order, 1>.entries +
                            tables::trace<order, 2>.entries + tables::trace<order, 3>.entries;
    KernelWork work;
    work.derivatives = predict_operations<Equation, order>(0.0);
    work.predictor = predict_operations<Equation, order>(4.0) + basis_size(order) * Equation::quantities;
    work.local = work.predictor + 4.0 * basis_size(order) * Equation::side_operations +
                 2.0 * Equation::face_quantities * entries;
    work.neighbour = 4.0 * face_basis_size(order) * Equation::entering_operations +
                     2.0 * Equation::waves * entries + 4.0 * basis_size(order) * Equation::flux_operations;
    return work;
}

}  // namespace groundswell::quake
