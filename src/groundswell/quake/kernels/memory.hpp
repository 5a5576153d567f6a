#pragma once

#include <algorithm>

#include "groundswell/quake/kernels/relaxation.hpp"
#include "groundswell/quake/kernels/step.hpp"

/// The steps of step.hpp where the stress depends on what was before: beside the state of an element stands what its
/// mechanisms remember, [basis][mechanism][strain]. Derivatives in time keep all functions, since relaxation lowers no degree.
namespace groundswell::quake {

/// One derivative in time more of a state and of what mechanisms remember, row by row in place: derivatives in space are made of later
/// rows, which are as they were.
template <class Equation, class Real, int order, class Value>
inline void differentiate_with_memory(const typename Equation::template Material<Value>& material,
                                      const typename Equation::template Mechanism<Value>* mechanism,
                                      int mechanisms, Value* state, Value* memory) {
    constexpr int n = Equation::quantities, strains = Equation::strains;
    for (int row = 0; row < basis_size(order); ++row) {
        Value rate[n] = {}, strain[strains] = {};
        if (row < basis_size(order - 1)) {
            Value along[3][n];
            derive_row<Real, order, n, n>(row, state, along);
            Equation::rate(material, along, rate);
            Equation::strain_rate(material, along, strain);
        }
        for (int l = 0; l < mechanisms; ++l)
            Equation::relax(mechanism[l], strain, memory + (row * mechanisms + l) * strains, rate);
        std::copy_n(rate, n, state + row * n);
    }
}

/// As predict; `memory` becomes what it is with no wave entering. `also(k, values)` sees every derivative of the state.
template <class Equation, class Real, int order, class Value, class Also>
inline void predict_with_memory(const typename Equation::template Material<Value>& material,
                                const typename Equation::template Mechanism<Value>* mechanism, int mechanisms,
                                Real step, Value* state, Value* memory, Value* integral, const Also& also) {
    using Remembered = Relaxation<order>;
    constexpr int n = Equation::quantities, rows = basis_size(order), strains = Equation::strains;
    constexpr int sloping = basis_size(order - 1);  // rows that derivatives in space have
    constexpr int steep = basis_size(order - 2);    // rows that second derivatives have
    constexpr int between = sloping * strains;
    const int width = mechanisms * strains;
    Value coefficient[Remembered::count(Equation::most_mechanisms)], q[rows * n],
        strain[order * between] = {};
    Remembered::template prepare<1>(
        [&](int l) -> const auto& { return mechanism[l]; }, mechanisms, step, coefficient);
    for (int i = 0; i < rows * n; ++i) integral[i] = step * state[i];
    also(0, state);
    const Value* from = state;
    Real factor = 1;  // stepᵏ / k!
    for (int k = 1; k <= order; ++k) {
        factor *= step / static_cast<Real>(k);
        // What is beyond the integral's last derivative changes the state: the source of what relaxes.
        const Real next = k < order ? factor * step / static_cast<Real>(k + 1) : Real(0);
        // In place, as differentiate_with_memory. Only the first derivative has strain rates in all rows that slope: later ones
        // are those of velocities that have no row which does not slope.
        const auto advance = [&]<int used, int known>(int row, Value(&rate)[n]) {
            Value* const theta = memory + row * width;
            const Value* const of_strain = strain + row * strains;
            Remembered::template relax<1>(k - 1, coefficient, mechanisms, theta, of_strain, between, known,
                                          rate);
            if (k == order)
                Remembered::template remember<1>(coefficient, mechanisms, theta, of_strain, between, known);
#pragma GCC unroll 16
            for (int i = 0; i < n; ++i) q[row * n + i] = rate[i];
#pragma GCC unroll 16
            for (int i = 0; i < used; ++i) {
                integral[row * n + i] += next * rate[i];
                state[row * n + i] += factor * rate[i];
            }
        };
        const auto strain_in = [&](int row, const Value(&along)[3][n]) {
            Value now[strains];
            Equation::strain_rate(material, along, now);
            std::copy_n(now, strains, strain + (k - 1) * between + row * strains);
        };
        for (int row = 0; row < steep; ++row) {
            Value along[3][n], rate[n];
            derive_row<Real, order, n, n>(row, from, along);
            Equation::rate(material, along, rate);
            strain_in(row, along);
            advance.template operator()<n, order>(row, rate);
        }
        for (int row = steep; row < sloping; ++row) {
            Value along[3][n], rate[n] = {};
            if (k == 1) {
                derive_row<Real, order, n, n>(row, from, along);
                Equation::rate(material, along, rate);
                strain_in(row, along);
            } else {
                derive_row<Real, order, Equation::vx, n>(row, from, along);
                Equation::velocity_rate(material, along, rate);
            }
            advance.template operator()<n, 1>(row, rate);
        }
        for (int row = sloping; row < rows; ++row) {
            Value rate[n] = {};
            advance.template operator()<Equation::vx, 0>(row, rate);
        }
        from = q;
        if (k < order) also(k, q);
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
                                               [&](int k, const Value* derivative) {
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

}  // namespace groundswell::quake
