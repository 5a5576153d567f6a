#pragma once

#include <algorithm>

#include "groundswell/quake/kernels/step.hpp"

/// The steps of step.hpp where the stress depends on what was before: beside the state of an element stands what its
/// mechanisms remember, [basis][mechanism][strain]. Derivatives in time keep all functions, since relaxation lowers no degree.
namespace groundswell::quake {

/// As predict; `memory` becomes what it is with no wave entering. `also(k, values, memory)` sees every derivative of both.
template <class Equation, class Real, int order, class Value, class Also>
inline void predict_with_memory(const typename Equation::template Material<Value>& material,
                                const typename Equation::template Mechanism<Value>* mechanism, int mechanisms,
                                Real step, Value* state, Value* memory, Value* integral, const Also& also) {
    constexpr int n = Equation::quantities, rows = basis_size(order), strains = Equation::strains;
    const int width = mechanisms * strains;
    Value q[rows * n], theta[rows * Equation::most_mechanisms * strains];
    std::copy_n(state, rows * n, q);
    std::copy_n(memory, rows * width, theta);
    for (int i = 0; i < rows * n; ++i) integral[i] = step * state[i];
    also(0, q, theta);
    Real factor = 1;  // stepᵏ / k!
    for (int k = 1; k <= order; ++k) {
        factor *= step / static_cast<Real>(k);
        // What is beyond the integral's last derivative changes the state: the source of what relaxes.
        const Real next = k < order ? factor * step / static_cast<Real>(k + 1) : Real(0);
        // Row by row in place: derivatives are made of later rows, which are as they were.
        for (int row = 0; row < rows; ++row) {
            Value rate[n] = {}, strain[strains] = {};
            if (row < basis_size(order - 1)) {
                Value along[3][n] = {};
                add_row_product<Real, tables::derivative<order, 0>, n, n>(row, q, along[0]);
                add_row_product<Real, tables::derivative<order, 1>, n, n>(row, q, along[1]);
                add_row_product<Real, tables::derivative<order, 2>, n, n>(row, q, along[2]);
                Equation::rate(material, along, rate);
                Equation::strain_rate(material, along, strain);
            }
            for (int l = 0; l < mechanisms; ++l) {
                Value* now = theta + row * width + l * strains;
                Equation::relax(mechanism[l], strain, now, rate);
                Value* to = memory + row * width + l * strains;
#pragma GCC unroll 6
                for (int i = 0; i < strains; ++i) to[i] += factor * now[i];
            }
#pragma GCC unroll 16
            for (int i = 0; i < n; ++i) {
                q[row * n + i] = rate[i];
                integral[row * n + i] += next * rate[i];
                state[row * n + i] += factor * rate[i];
            }
        }
        if (k < order) also(k, q, theta);
    }
}

/// As predict_pieces.
template <class Equation, class Real, int order, int pieces, class Value>
inline void predict_pieces_with_memory(const typename Equation::template Material<Value>& material,
                                       const typename Equation::template Mechanism<Value>* mechanism,
                                       int mechanisms, Real step, Value* state, Value* memory,
                                       Value* integral, Value* piece) {
    constexpr int values = basis_size(order) * Equation::quantities;
    const Real length = step / static_cast<Real>(pieces);
    Real factor = 1;  // lengthᵏ⁺¹ / (k + 1)!
    for (int i = 0; i < (pieces - 1) * values; ++i) piece[i] = Value{};
    predict_with_memory<Equation, Real, order>(material, mechanism, mechanisms, step, state, memory, integral,
                                               [&](int k, const Value* derivative, const Value*) {
                                                   factor *= length / static_cast<Real>(k + 1);
                                                   for (int s = 0; s + 1 < pieces; ++s) {
                                                       // ∫ tᵏ from s to s + 1, times k + 1.
                                                       Real above = 1, below = 1;
                                                       for (int i = 0; i <= k; ++i) {
                                                           above *= static_cast<Real>(s + 1);
                                                           below *= static_cast<Real>(s);
                                                       }
                                                       const Real weight = (above - below) * factor;
                                                       for (int i = 0; i < values; ++i)
                                                           piece[s * values + i] += weight * derivative[i];
                                                   }
                                               });
}

/// As correct: the waves that enter strain the element, and every mechanism remembers it.
template <class Equation, class Real, int order, class Value>
inline void remember(const typename Equation::template Face<Value>* faces,
                     const typename Equation::template Mechanism<Value>* mechanism, int mechanisms,
                     const Value* entering, Value* memory) {
    constexpr int waves = Equation::waves, strains = Equation::strains;
    constexpr int apart = face_basis_size(order) * waves;
    for (int row = 0; row < basis_size(order); ++row) {
        Value change[4][waves] = {};
        add_row_product<Real, tables::lift<order, 0>, waves, waves>(row, entering, change[0]);
        add_row_product<Real, tables::lift<order, 1>, waves, waves>(row, entering + apart, change[1]);
        add_row_product<Real, tables::lift<order, 2>, waves, waves>(row, entering + 2 * apart, change[2]);
        add_row_product<Real, tables::lift<order, 3>, waves, waves>(row, entering + 3 * apart, change[3]);
        Value strain[strains] = {};
#pragma GCC unroll 4
        for (int face = 0; face < 4; ++face) Equation::add_strain(faces[face], change[face], strain);
        for (int l = 0; l < mechanisms; ++l) {
#pragma GCC unroll 6
            for (int i = 0; i < strains; ++i)
                memory[(row * mechanisms + l) * strains + i] += mechanism[l].frequency * strain[i];
        }
    }
}

}  // namespace groundswell::quake
