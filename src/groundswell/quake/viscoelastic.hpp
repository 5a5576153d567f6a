#pragma once

#include "groundswell/quake/elastic.hpp"

/// The isotropic viscoelastic wave equations in velocity–stress form: a generalised Maxwell body, whose stress relaxes by
/// some mechanisms (M. Käser, M. Dumbser, J. de la Puente and H. Igel 2007, doi:10.1111/j.1365-246X.2006.03193.x,
/// equations 6 to 14).
///
///     ρ ∂v/∂t = ∇·σ,    ∂σ/∂t = λ (∇·v) I + μ (∇v + ∇vᵀ) − Σₗ (λₗ tr ϑₗ I + 2 μₗ ϑₗ)
///     ∂ϑₗ/∂t = ωₗ (½ (∇v + ∇vᵀ) − ϑₗ)
///
/// λ and μ are those of sudden changes, before anything has relaxed. Mechanisms remember the rate of the strain alone, and
/// all the same one; what they remember stays in its element (C. Uphoff and M. Bader 2016, doi:10.1109/HPCSim.2016.7568431).
namespace groundswell::quake {

struct Viscoelastic : Elastic {
    static constexpr bool remembers = true;
    /// Memory variables of a mechanism: ϑ, in the order of the stresses.
    static constexpr int strains = 6;
    static constexpr int most_mechanisms = 8;

    /// A relaxation mechanism of an element.
    template <class Value>
    struct Mechanism {
        Value frequency;   ///< ωₗ, rad s⁻¹
        Value lambda, mu;  ///< λₗ and μₗ, Pa; 0 where the rock is elastic
    };

    /// The rate of the strain from the derivatives along the reference axes.
    template <class Value>
    static constexpr __attribute__((always_inline)) void strain_rate(const Material<Value>& m,
                                                                     const Value (&along)[3][9],
                                                                     Value (&strain)[6]) {
        const auto derivative = [&](int quantity, int axis) {
            Value sum = m.gradient[0][axis] * along[0][quantity];
            sum += m.gradient[1][axis] * along[1][quantity];
            sum += m.gradient[2][axis] * along[2][quantity];
            return sum;
        };
        const Value half = Value{} + 0.5f;
        strain[xx] = derivative(vx, 0);
        strain[yy] = derivative(vx + 1, 1);
        strain[zz] = derivative(vx + 2, 2);
        strain[xy] = half * (derivative(vx, 1) + derivative(vx + 1, 0));
        strain[yz] = half * (derivative(vx + 1, 2) + derivative(vx + 2, 1));
        strain[xz] = half * (derivative(vx, 2) + derivative(vx + 2, 0));
    }

    /// Takes from the rate of the stress what a mechanism relaxes of it, and turns ϑ into its rate.
    template <class Value>
    static constexpr __attribute__((always_inline)) void relax(const Mechanism<Value>& m,
                                                               const Value (&strain)[6], Value* theta,
                                                               Value (&rate)[9]) {
        const Value pressure = m.lambda * (theta[xx] + theta[yy] + theta[zz]), twice = m.mu + m.mu;
#pragma GCC unroll 6
        for (int i = 0; i < 6; ++i) {
            rate[i] -= twice * theta[i];
            if (i < 3) rate[i] -= pressure;
            theta[i] = m.frequency * (strain[i] - theta[i]);
        }
    }

    /// The change of the strain with that of the stress, where nothing has time to relax.
    template <class Value>
    struct Compliance {
        Value half_per_mu, part;  ///< 1/(2 μ), Pa⁻¹; λ/(3 λ + 2 μ)
        explicit constexpr Compliance(const Material<Value>& m) {
            const Value bulk = 3.0f * m.lambda + (m.mu + m.mu);
            // A lane without an element has no rock.
            half_per_mu = m.mu != Value{} ? 0.5f / m.mu : Value{};
            part = bulk != Value{} ? m.lambda / bulk : Value{};
        }

        constexpr __attribute__((always_inline)) void strain_of(const Value (&stress)[9],
                                                                Value (&strain)[6]) const {
            const Value pressure = part * (stress[xx] + stress[yy] + stress[zz]);
#pragma GCC unroll 6
            for (int i = 0; i < 6; ++i) strain[i] = half_per_mu * (i < 3 ? stress[i] - pressure : stress[i]);
        }
    };
};

}  // namespace groundswell::quake
