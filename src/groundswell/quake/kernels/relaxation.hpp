#pragma once

#include <algorithm>

#include "groundswell/quake/viscoelastic.hpp"

namespace groundswell::quake {

/// Memory of mechanisms through a step, in closed form: the k-th derivative in time, with s that of the strain, is
///
///     ϑ⁽ᵏ⁾ = (−ω)ᵏ ϑ + ω Σ (−ω)ᵏ⁻¹⁻ʲ s⁽ʲ⁺¹⁾,    j = 0 … k − 1,
///
/// the same that Viscoelastic::relax makes step by step. s is the same for all mechanisms, so that the stress which the s⁽ʲ⁾ relax needs
/// coefficients that are summed up over mechanisms once, and ϑ itself is read as it was and changes once.
///
/// Numbers of one row of functions, each `apart` from the next: `theta` [mechanism][strain], `strain` [derivative][strain] with `between`
/// from one derivative to the next, of which the first `known` are not zero.
template <int order>
struct Relaxation {
    static constexpr int strains = Viscoelastic::strains;

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
                at(own_mu(l, k)) = (of.mu + of.mu) * power;
                if (k + 1 < order) {
                    at(lambda(k)) += of.frequency * at(own_lambda(l, k));
                    at(mu(k)) += of.frequency * at(own_mu(l, k));
                }
                power *= decay;
            }
            Value sum = Value{} + factor[order];
            for (int j = order - 1; j >= 0; --j) {
                at(gain(l, j)) = of.frequency * sum;
                sum = factor[j] + decay * sum;
            }
            at(keep(l)) = sum;
        }
    }

    /// Takes from the rate of the stress what the k-th derivative of ϑ relaxes of it.
    template <int apart, class Value>
    static constexpr __attribute__((always_inline)) void relax(int k, const Value* coefficient,
                                                               int mechanisms, const Value* theta,
                                                               const Value* strain, int between, int known,
                                                               Value (&rate)[9]) {
        for (int l = 0; l < mechanisms; ++l)
            take<apart>(coefficient[own_lambda(l, k) * apart], coefficient[own_mu(l, k) * apart],
                        theta + l * strains * apart, rate);
        for (int j = 0; j < std::min(k, known); ++j)
            take<apart>(coefficient[lambda(k - 1 - j) * apart], coefficient[mu(k - 1 - j) * apart],
                        strain + j * between, rate);
    }

    /// ϑ at the end of the step.
    template <int apart, class Value>
    static constexpr __attribute__((always_inline)) void remember(const Value* coefficient, int mechanisms,
                                                                  Value* theta, const Value* strain,
                                                                  int between, int known) {
        for (int l = 0; l < mechanisms; ++l) {
#pragma GCC unroll 6
            for (int i = 0; i < strains; ++i) {
                Value& of = theta[(l * strains + i) * apart];
                Value sum = coefficient[keep(l) * apart] * of;
                for (int j = 0; j < known; ++j)
                    sum += coefficient[gain(l, j) * apart] * strain[j * between + i * apart];
                of = sum;
            }
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
        return 2 * (order - 1) + l * (3 * order + 1);
    }
    static constexpr int own_lambda(int l, int k) {
        return first(l) + k;
    }
    static constexpr int own_mu(int l, int k) {
        return first(l) + order + k;
    }
    static constexpr int gain(int l, int j) {
        return first(l) + 2 * order + j;
    }
    static constexpr int keep(int l) {
        return first(l) + 3 * order;
    }

    template <int apart, class Value>
    static constexpr __attribute__((always_inline)) void take(const Value& lambda, const Value& twice_mu,
                                                              const Value* theta, Value (&rate)[9]) {
        const Value pressure =
            lambda * (theta[Elastic::xx * apart] + theta[Elastic::yy * apart] + theta[Elastic::zz * apart]);
#pragma GCC unroll 6
        for (int i = 0; i < strains; ++i) {
            rate[i] -= twice_mu * theta[i * apart];
            if (i < 3) rate[i] -= pressure;
        }
    }
};

}  // namespace groundswell::quake
