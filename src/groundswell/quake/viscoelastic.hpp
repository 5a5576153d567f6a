#pragma once

#include "groundswell/quake/elastic.hpp"

/// The isotropic viscoelastic wave equations in velocity–stress form: a generalised Maxwell body, whose stress relaxes by
/// some mechanisms (M. Käser, M. Dumbser, J. de la Puente and H. Igel 2007, doi:10.1111/j.1365-246X.2006.03193.x,
/// equations 6 to 14).
///
///     ρ ∂v/∂t = ∇·σ,    σ = λ tr ε I + 2 μ ε − Σₗ (λₗ tr ζₗ I + 2 μₗ ζₗ),    ∂ε/∂t = ½ (∇v + ∇vᵀ)
///     ∂ζₗ/∂t = ωₗ (ε − ζₗ)
///
/// λ and μ are those of sudden changes, before anything has relaxed. ζₗ is the strain of the dashpot of a mechanism, which follows that
/// of the rock (an anelastic function that does not depend on the material: J. Kristek and P. Moczo 2003, Bull. Seismol. Soc. Am. 93, 2273–2280;
/// ϑₗ of the paper above is ∂ζₗ/∂t). No wave changes it suddenly, so that what enters through faces changes the stress alone. The
/// strain itself follows from stress and ζ. Both stay in their element.
namespace groundswell::quake {

struct Viscoelastic : Elastic {
    static constexpr bool remembers = true;
    /// Memory variables of a mechanism: ζ, in the order of the stresses.
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

    /// Takes from a stress, or its rate, what a mechanism relaxes of it by ζ, or its rate; shear is not twice in these.
    template <int apart = 1, class Value>
    static constexpr __attribute__((always_inline)) void relax(const Value& lambda, const Value& mu,
                                                               const Value* zeta, Value* stress) {
        const Value pressure = lambda * (zeta[xx * apart] + zeta[yy * apart] + zeta[zz * apart]),
                    twice = mu + mu;
#pragma GCC unroll 6
        for (int i = 0; i < strains; ++i) {
            stress[i] -= twice * zeta[i * apart];
            if (i < 3) stress[i] -= pressure;
        }
    }

    /// The strain of a stress, where nothing has relaxed.
    template <class Value>
    struct Compliance {
        Value half_per_mu, part;  ///< 1/(2 μ), Pa⁻¹; λ/(3 λ + 2 μ)

        static constexpr Compliance of(const Value& lambda, const Value& mu) {
            const Value bulk = 3.0f * lambda + (mu + mu);
            // A lane without an element has no rock; nor has water, of which nothing relaxes.
            return {mu != Value{} ? 0.5f / mu : Value{}, bulk != Value{} ? lambda / bulk : Value{}};
        }

        constexpr __attribute__((always_inline)) void strain_of(const Value* stress, Value* strain) const {
            const Value pressure = part * (stress[xx] + stress[yy] + stress[zz]);
#pragma GCC unroll 6
            for (int i = 0; i < strains; ++i)
                strain[i] = half_per_mu * (i < 3 ? stress[i] - pressure : stress[i]);
        }
    };

    /// ε of a function's stress and ζ, [mechanism][strain]; numbers `apart` from the next. `mechanism(l)`: Mechanism.
    template <int apart = 1, class Value, class MechanismOf>
    static constexpr __attribute__((always_inline)) void strain_of(const Compliance<Value>& compliance,
                                                                   const MechanismOf& mechanism,
                                                                   int mechanisms, const Value* stress,
                                                                   const Value* zeta, Value* strain) {
        Value sudden[strains];  // the stress, had nothing relaxed, with the opposite sign
#pragma GCC unroll 6
        for (int i = 0; i < strains; ++i) sudden[i] = -stress[i * apart];
        for (int l = 0; l < mechanisms; ++l)
            relax<apart>(mechanism(l).lambda, mechanism(l).mu, zeta + l * strains * apart, sudden);
        compliance.strain_of(sudden, strain);
#pragma GCC unroll 6
        for (int i = 0; i < strains; ++i) strain[i] = -strain[i];
    }
};

}  // namespace groundswell::quake
