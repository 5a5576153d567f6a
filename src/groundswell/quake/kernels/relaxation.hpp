#pragma once

#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/viscoelastic.hpp"

namespace groundswell::quake {

/// Relaxation in a step, in closed form: the k-th derivative in time of a mechanism's ζ, with ε the strain, is
///
///     ζ⁽ᵏ⁾ = (−ω)ᵏ ζ + ω Σ (−ω)ᵏ⁻¹⁻ʲ ε⁽ʲ⁾,    j = 0 … k − 1.
///
/// ε is the same for all mechanisms, so that what the stress loses by the ε⁽ʲ⁾ needs coefficients that are summed up over mechanisms
/// once, and ζ itself is read as it was and changes once.
///
/// Numbers of one row of functions, each `apart` from the next: `zeta` [mechanism][strain]; `strain`: ε⁽ʲ⁾ at place(j), of which those
/// after `known` derivatives are zero.
template <int order>
struct Relaxation {
    static constexpr int strains = Viscoelastic::strains;

    /// Numbers of ε⁽ʲ⁾ before those of one: each has the functions that rock has which does not relax.
    static constexpr int place(int j) {
        int rows = 0;
        for (int i = 0; i < j; ++i) rows += basis_size(order - i);
        return rows * strains;
    }
    /// Numbers of all of them.
    static constexpr int places = place(order);

    /// Coefficients of an element.
    static constexpr int count(int mechanisms) { return first(mechanisms); }

    /// Those of a step of so many seconds; `mechanism(l)`: Viscoelastic::Mechanism.
    template <int apart, class Value, class Real, class MechanismOf>
    static constexpr void prepare(const MechanismOf& mechanism, int mechanisms, Real step,
                                  Value* coefficient) {
        const auto at = [=](int i) -> Value& { return coefficient[i * apart]; };
        Real factor[order + 1] = {1};  // stepᵏ / k!
        for (int k = 1; k <= order; ++k) factor[k] = factor[k - 1] * step / static_cast<Real>(k);
        for (int i = 0; i < first(0); ++i) at(i) = Value{};
        for (int l = 0; l < mechanisms; ++l) {
            const auto of = mechanism(l);
            const Value decay = -of.frequency;
            Value power = Value{} + 1.0f;
            for (int k = 0; k < order; ++k) {
                at(own_lambda(l, k)) = of.lambda * power;
                at(own_mu(l, k)) = of.mu * power;
                if (k + 1 < order) {
                    at(lambda(k)) += of.frequency * at(own_lambda(l, k));
                    at(mu(k)) += of.frequency * at(own_mu(l, k));
                }
                power *= decay;
            }
            Value sum = Value{};
            for (int j = order; j-- > 0;) {
                sum = factor[j + 1] + decay * sum;
                at(gain(l, j)) = of.frequency * sum;
            }
        }
    }

    /// Takes from the k-th derivative of the stress's rate what ζ relaxes of it.
    template <int apart, class Value>
    static constexpr __attribute__((always_inline)) void relax(int k, const Value* coefficient,
                                                               int mechanisms, const Value* zeta,
                                                               const Value* strain, Value (&rate)[9]) {
        for (int l = 0; l < mechanisms; ++l) take<apart>(coefficient, l, k + 1, zeta, rate);
        for (int j = 0; j <= k; ++j)
            Viscoelastic::relax<apart>(coefficient[lambda(k - j) * apart], coefficient[mu(k - j) * apart],
                                       strain + place(j) * apart, rate);
    }

    /// ζ at the end of the step; takes from the stress what has relaxed by then.
    template <int apart, class Value>
    static constexpr __attribute__((always_inline)) void remember(const Value* coefficient, int mechanisms,
                                                                  Value* zeta, const Value* strain, int known,
                                                                  Value (&stress)[9]) {
        for (int l = 0; l < mechanisms; ++l, zeta += strains * apart) {
            Value change[strains];
#pragma GCC unroll 6
            for (int i = 0; i < strains; ++i)
                change[i] = coefficient[gain(l, 0) * apart] * (strain[i * apart] - zeta[i * apart]);
            for (int j = 1; j <= known; ++j) {
#pragma GCC unroll 6
                for (int i = 0; i < strains; ++i)
                    change[i] += coefficient[gain(l, j) * apart] * strain[(place(j) + i) * apart];
            }
#pragma GCC unroll 6
            for (int i = 0; i < strains; ++i) zeta[i * apart] += change[i];
            Viscoelastic::relax(coefficient[own_lambda(l, 0) * apart], coefficient[own_mu(l, 0) * apart],
                                change, stress);
        }
    }

private:
    // By the k-th power of −ω: of what strains relax, over all mechanisms; of a mechanism.
    static constexpr int lambda(int k) {
        return k;
    }
    static constexpr int mu(int k) {
        return order - 1 + k;
    }
    static constexpr int first(int l) {
        return 2 * (order - 1) + l * 3 * order;
    }
    static constexpr int own_lambda(int l, int k) {
        return first(l) + k;
    }
    static constexpr int own_mu(int l, int k) {
        return first(l) + order + k;
    }
    // Factors of ε⁽ʲ⁾ in the change of ζ; that of ζ itself is that of ε less.
    static constexpr int gain(int l, int j) {
        return first(l) + 2 * order + j;
    }

    // What a mechanism's ζ takes of the stress, by the k-th power of −ω.
    template <int apart, class Value>
    static constexpr __attribute__((always_inline)) void take(const Value* coefficient, int l, int k,
                                                              const Value* zeta, Value* stress) {
        Viscoelastic::relax<apart>(coefficient[own_lambda(l, k) * apart], coefficient[own_mu(l, k) * apart],
                                   zeta + l * strains * apart, stress);
    }
};

}  // namespace groundswell::quake
