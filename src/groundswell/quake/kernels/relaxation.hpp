#pragma once

#include "groundswell/quake/viscoelastic.hpp"

namespace groundswell::quake {

/// Memory of mechanisms through a step, in closed form: the k-th derivative in time, with s that of the strain, is
///
///     ϑ⁽ᵏ⁾ = (−ω)ᵏ ϑ + ω Σ (−ω)ᵏ⁻¹⁻ʲ s⁽ʲ⁺¹⁾,    j = 0 … k − 1,
///
/// the same that Viscoelastic::relax makes step by step. s is the same for all mechanisms, so that the stress which the s⁽ʲ⁾ relax needs
/// coefficients that are summed up over mechanisms once, and ϑ itself is read as it was and changes once. By its own equation its
/// integral is that of the strain's rate less its change by ω, which gives what relaxes in the whole step.
///
/// Numbers of one row of functions, each `apart` from the next: `theta` [mechanism][strain], `strain` [derivative][strain] with `between`
/// from one derivative to the next, of which the first `known` are not zero.
template <int order>
struct Relaxation {
    static constexpr int strains = Viscoelastic::strains;
    /// Derivatives of the strain that a step has.
    static constexpr int derivatives = order - 1;

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
        for (int j = 0; j < derivatives; ++j) at(whole(j)) += factor[j + 1];
        for (int l = 0; l < mechanisms; ++l) {
            const auto of = mechanism(l);
            const Value decay = -of.frequency;
            Value power = Value{} + 1.0f;
            for (int k = 0; k < derivatives; ++k) {
                at(own_lambda(l, k)) = of.lambda * power;
                at(own_mu(l, k)) = (of.mu + of.mu) * power;
                if (k + 1 < derivatives) {
                    at(lambda(k)) += of.frequency * at(own_lambda(l, k));
                    at(mu(k)) += of.frequency * at(own_mu(l, k));
                }
                power *= decay;
            }
            at(frequency(l)) = of.frequency;
            Value sum = Value{} + factor[order];
            for (int j = derivatives; j-- > 0;) {
                sum = factor[j + 1] + decay * sum;
                at(gain(l, j)) = sum;
            }
        }
    }

    /// Takes from the rate of the stress what the k-th derivative of ϑ relaxes of it.
    template <int apart, class Value>
    static constexpr __attribute__((always_inline)) void relax(int k, const Value* coefficient,
                                                               int mechanisms, const Value* theta,
                                                               const Value* strain, int between,
                                                               Value (&rate)[9]) {
        for (int l = 0; l < mechanisms; ++l)
            take<apart>(coefficient[own_lambda(l, k) * apart], coefficient[own_mu(l, k) * apart],
                        theta + l * strains * apart, rate);
        for (int j = 0; j < k; ++j)
            take<apart>(coefficient[lambda(k - 1 - j) * apart], coefficient[mu(k - 1 - j) * apart],
                        strain + j * between, rate);
    }

    /// ϑ at the end of the step; takes from the stress what has relaxed by then.
    template <int apart, class Value>
    static constexpr __attribute__((always_inline)) void remember(const Value* coefficient, int mechanisms,
                                                                  Value* theta, const Value* strain,
                                                                  int between, int known,
                                                                  Value (&stress)[9]) {
        Value whole_strain[strains] = {};
        for (int j = 0; j < known; ++j) {
#pragma GCC unroll 6
            for (int i = 0; i < strains; ++i)
                whole_strain[i] += coefficient[whole(j) * apart] * strain[j * between + i * apart];
        }
        for (int l = 0; l < mechanisms; ++l) {
            Value* const of = theta + l * strains * apart;
            Value change[strains], remembered[strains];  // by ω; the integral of ϑ
#pragma GCC unroll 6
            for (int i = 0; i < strains; ++i) change[i] = -coefficient[gain(l, 0) * apart] * of[i * apart];
            for (int j = 0; j < known; ++j) {
#pragma GCC unroll 6
                for (int i = 0; i < strains; ++i)
                    change[i] += coefficient[gain(l, j) * apart] * strain[j * between + i * apart];
            }
#pragma GCC unroll 6
            for (int i = 0; i < strains; ++i) {
                remembered[i] = whole_strain[i] - change[i];
                of[i * apart] += coefficient[frequency(l) * apart] * change[i];
            }
            take<1>(coefficient[own_lambda(l, 0) * apart], coefficient[own_mu(l, 0) * apart], remembered,
                    stress);
        }
    }

private:
    // Factors of the strain's derivatives in the integral of its rate.
    static constexpr int whole(int j) {
        return j;
    }
    // By the k-th power of −ω: of what strains relax, over all mechanisms; of a mechanism.
    static constexpr int lambda(int k) {
        return derivatives + k;
    }
    static constexpr int mu(int k) {
        return 2 * derivatives - 1 + k;
    }
    static constexpr int first(int l) {
        return 3 * derivatives - 2 + l * (3 * derivatives + 1);
    }
    static constexpr int own_lambda(int l, int k) {
        return first(l) + k;
    }
    static constexpr int own_mu(int l, int k) {
        return first(l) + derivatives + k;
    }
    static constexpr int gain(int l, int j) {
        return first(l) + 2 * derivatives + j;
    }
    static constexpr int frequency(int l) {
        return first(l) + 3 * derivatives;
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
