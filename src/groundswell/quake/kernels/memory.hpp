#pragma once

#include <algorithm>

#include "groundswell/quake/kernels/relaxation.hpp"
#include "groundswell/quake/kernels/step.hpp"

/// The predictor of step.hpp where the stress depends on what was before: beside the state of an element stands what its
/// mechanisms remember, [basis][mechanism][strain].
///
/// Relaxation lowers no degree. Yet of the k-th derivative in time those functions alone are kept that it has in rock which does not relax,
/// of degree order − 1 − k and less: a function of degree d falls with the size h of the elements as hᵈ and comes with stepᵏ, so
/// that what is left out is as hᵒʳᵈᵉʳ at most, like all that the order leaves out. What relaxes of the stress itself and what mechanisms
/// remember is kept in all functions.
namespace groundswell::quake {

/// Turns ζ into its rate, row by row.
template <class Equation, class Value>
inline void start_relaxing(const typename Equation::template Material<Value>& material,
                           const typename Equation::template Mechanism<Value>* mechanism, int mechanisms,
                           int rows, const Value* state, Value* memory) {
    const auto compliance = Equation::template Compliance<Value>::of(material.lambda, material.mu);
    const auto at = [&](int l) -> const auto& {
        return mechanism[l];
    };
    for (int row = 0; row < rows; ++row, memory += mechanisms * Equation::strains) {
        Value strain[Equation::strains];
        Equation::strain_of(compliance, at, mechanisms, state + row * Equation::quantities, memory, strain);
        for (int i = 0; i < mechanisms * Equation::strains; ++i)
            memory[i] =
                mechanism[i / Equation::strains].frequency * (strain[i % Equation::strains] - memory[i]);
    }
}

/// Turns the k-th derivative in time of a state and of ∂ζ/∂t into the one after it, row by row in place: derivatives in
/// space are made of later rows, which are as they were.
template <class Equation, class Real, int order, class Value>
inline void differentiate_with_memory(int k, const typename Equation::template Material<Value>& material,
                                      const typename Equation::template Mechanism<Value>* mechanism,
                                      int mechanisms, Value* state, Value* memory) {
    constexpr int n = Equation::quantities, strains = Equation::strains;
    for (int row = 0; row < basis_size(order); ++row) {
        Value rate[n] = {}, strain[strains] = {};
        if (row < basis_size(order - 1 - k)) {
            Value along[3][n];
            derive_row<Real, order, n, n>(row, state, along);
            Equation::rate(material, along, rate);
            Equation::strain_rate(material, along, strain);
        }
        for (int l = 0; l < mechanisms; ++l) {
            Value* const theta = memory + (row * mechanisms + l) * strains;
            Equation::relax(mechanism[l].lambda, mechanism[l].mu, theta, rate);
            for (int i = 0; i < strains; ++i) theta[i] = mechanism[l].frequency * (strain[i] - theta[i]);
        }
        for (int i = 0; i < n; ++i) state[row * n + i] = row < basis_size(order - 1 - k) ? rate[i] : Value{};
    }
}

/// Derivatives in time of a state and of its ζ, which are lost. see(k, state) has of the k-th those functions that are kept;
/// see_memory(k, values) all of the k-th of ζ.
template <class Equation, class Real, int order, class Value, class See, class SeeMemory>
inline void derive_with_memory(const typename Equation::template Material<Value>& material,
                               const typename Equation::template Mechanism<Value>* mechanism, int mechanisms,
                               Value* state, Value* memory, const See& see, const SeeMemory& see_memory) {
    for (int k = 0; k < order; ++k) {
        see_memory(k, memory);
        if (k == 0)
            start_relaxing<Equation>(material, mechanism, mechanisms, basis_size(order), state, memory);
        else
            differentiate_with_memory<Equation, Real, order>(k - 1, material, mechanism, mechanisms, state,
                                                             memory);
        see(k, state);
    }
}

/// As predict_from, where the first derivative is of a state of `highest` order: `strain` takes the derivatives of ε, as Relaxation
/// has them.
template <class Equation, class Real, int highest, int order, class Value, class Also>
inline __attribute__((always_inline)) void predict_from_with_memory(
    const typename Equation::template Material<Value>& material, const Value* coefficient, int mechanisms,
    Real step, Real factor, const Value* from, const Value* memory, Value* strain, Value* integral,
    Value* state, const Also& also) {
    if constexpr (order > 1) {
        constexpr int n = Equation::quantities, strains = Equation::strains, rows = basis_size(order - 1);
        constexpr int k = highest - order;
        const Real next = factor * step / static_cast<Real>(k + 2);
        Value to[rows * n];
        for (int row = 0; row < rows; ++row) {
            Value along[3][n], rate[n], now[strains];
            derive_row<Real, order, n, n>(row, from, along);
            Equation::rate(material, along, rate);
            Equation::strain_rate(material, along, now);
            std::copy_n(now, strains, strain + Relaxation<highest>::place(k + 1) + row * strains);
#pragma GCC unroll 16
            for (int i = 0; i < n; ++i) state[row * n + i] += factor * rate[i];
            Relaxation<highest>::template relax<1>(k, coefficient, mechanisms,
                                                   memory + row * mechanisms * strains,
                                                   strain + row * strains, rate);
#pragma GCC unroll 16
            for (int i = 0; i < n; ++i) {
                to[row * n + i] = rate[i];
                integral[row * n + i] += next * rate[i];
            }
        }
        also(k + 1, to, rows * n);
        predict_from_with_memory<Equation, Real, highest, order - 1>(
            material, coefficient, mechanisms, step, next, to, memory, strain, integral, state, also);
    }
}

/// As predict; `memory` becomes what it is at the step's end. What enters meanwhile does not change it.
template <class Equation, class Real, int order, class Value, class Also>
inline void predict_with_memory(const typename Equation::template Material<Value>& material,
                                const typename Equation::template Mechanism<Value>* mechanism, int mechanisms,
                                Real step, Value* state, Value* memory, Value* integral, const Also& also) {
    using Remembered = Relaxation<order>;
    constexpr int n = Equation::quantities, strains = Equation::strains;
    const auto at = [&](int l) -> const auto& {
        return mechanism[l];
    };
    const auto compliance = Equation::template Compliance<Value>::of(material.lambda, material.mu);
    Value coefficient[Remembered::count(Equation::most_mechanisms)], strain[Remembered::places];
    Remembered::template prepare<1>(at, mechanisms, step, coefficient);
    for (int row = 0; row < basis_size(order); ++row) {
        Value now[strains];
        Equation::strain_of(compliance, at, mechanisms, state + row * n, memory + row * mechanisms * strains,
                            now);
        std::copy_n(now, strains, strain + row * strains);
    }
    for (int i = 0; i < basis_size(order) * n; ++i) integral[i] = step * state[i];
    also(0, state, basis_size(order) * n);
    predict_from_with_memory<Equation, Real, order, order>(material, coefficient, mechanisms, step, step,
                                                           state, memory, strain, integral, state, also);
    for (int degree = 0; degree < order; ++degree) {
        for (int row = basis_size(degree); row < basis_size(degree + 1); ++row) {
            Value q[n];
            std::copy_n(state + row * n, n, q);
            Remembered::template remember<1>(coefficient, mechanisms, memory + row * mechanisms * strains,
                                             strain + row * strains, order - 1 - degree, q);
            std::copy_n(q, n, state + row * n);
        }
    }
}

/// As predict_pieces.
template <class Equation, class Real, int order, int pieces, class Value>
inline void predict_pieces_with_memory(const typename Equation::template Material<Value>& material,
                                       const typename Equation::template Mechanism<Value>* mechanism,
                                       int mechanisms, Real step, Value* state, Value* memory,
                                       Value* integral, Value* piece) {
    predict_with_memory<Equation, Real, order>(
        material, mechanism, mechanisms, step, state, memory, integral,
        PieceSums<Real, pieces, basis_size(order) * Equation::quantities, Value>{step / pieces, piece});
}

}  // namespace groundswell::quake
