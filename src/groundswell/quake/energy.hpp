#pragma once

#include <span>

#include "groundswell/quake/attenuation/attenuation.hpp"
#include "groundswell/quake/material.hpp"
#include "groundswell/quake/viscoelastic.hpp"

namespace groundswell::quake {

/// J.
struct Energy {
    double kinetic = 0.0, elastic = 0.0;
};

/// J m⁻³ of a stress by its squares (shear counts twice) and the square of its trace.
inline double energy_of_stress(double lambda, double mu, double squares, double trace) {
    if (mu == 0.0) return trace / (18.0 * lambda);
    return (squares - lambda / (3.0 * lambda + 2.0 * mu) * trace) / (4.0 * mu);
}
inline double energy_of_stress(const Material& m, double squares, double trace) {
    return energy_of_stress(m.lambda, m.mu, squares, trace);
}

/// The same of anisotropic rock, by the stress.
inline double energy_of_stress(const Stiffness& stiffness, const double* stress) {
    double energy = 0.0;
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) energy += 0.5 * stress[i] * stiffness.compliance()[i][j] * stress[j];
    }
    return energy;
}

/// The energy of an element: exact, since the basis is orthogonal. `mass` is that of the basis on the reference element,
/// `coefficient(function, quantity)` the state.
template <class Masses, class Coefficient>
Energy energy_of(const Masses& mass, const Material& m, double volume, const Coefficient& coefficient) {
    Energy energy;
    int k = 0;
    for (const double one : mass) {
        double q[9], squares = 0.0, speed = 0.0;
        for (int i = 0; i < 9; ++i) q[i] = coefficient(k, i);
        for (int i = 0; i < 6; ++i) squares += (i < 3 ? 1.0 : 2.0) * q[i] * q[i];
        for (int i = 6; i < 9; ++i) speed += q[i] * q[i];
        const double trace = q[0] + q[1] + q[2];
        energy.elastic += 6.0 * volume * one *
                          (m.is_anisotropic() ? energy_of_stress(*m.stiffness, q)
                                              : energy_of_stress(m, squares, trace * trace));
        energy.kinetic += 6.0 * volume * one * 0.5 * m.density * speed;
        ++k;
    }
    return energy;
}

/// Sums over the functions of an element of isotropic rock, times their mass.
struct SquaresOfElement {
    /// Squares of the stress (shear counts twice), of its trace, and of the velocity.
    double stress = 0.0, trace = 0.0, velocity = 0.0;
    double relaxing = 0.0;  ///< where rock relaxes, in place of the stress: J m⁻³ that springs hold
};

/// The energy of an element from these. `m` is unrelaxed.
inline double energy_of_squares(const Material& m, double volume, const SquaresOfElement& of) {
    return 6.0 * volume *
           (energy_of_stress(m, of.stress, of.trace) + of.relaxing + 0.5 * m.density * of.velocity);
}

/// J m⁻³ that the springs of rock hold which relaxes, by stress and ζ: those of the mechanisms, strained by ε − ζ, and the one that
/// never relaxes, strained by ε. With what the stress had been before anything relaxed, σ + Σ (λ tr ζ I + 2 μ ζ), it is
/// ε:σ less half of ε times that, and what the springs held if ζ strained them.
template <class Value, class MechanismOf>
Value energy_of_relaxing(const Viscoelastic::Compliance<Value>& compliance, const MechanismOf& mechanism,
                         int mechanisms, const Value* stress, const Value* zeta) {
    constexpr int strains = Viscoelastic::strains;
    Value sudden[strains], strain[strains], held{};  // `sudden` with the opposite sign, so is `strain`
    for (int i = 0; i < strains; ++i) sudden[i] = -stress[i];
    for (int l = 0; l < mechanisms; ++l, zeta += strains) {
        const Viscoelastic::Mechanism<Value> of = mechanism(l);
        Viscoelastic::relax(of.lambda, of.mu, zeta, sudden);
        const Value trace = zeta[0] + zeta[1] + zeta[2];
        Value normal{}, shear{};
        for (int i = 0; i < strains; ++i) (i < 3 ? normal : shear) += zeta[i] * zeta[i];
        held += 0.5 * of.lambda * (trace * trace) + of.mu * (normal + shear + shear);
    }
    compliance.strain_of(sudden, strain);
    Value normal{}, shear{};
    for (int i = 0; i < strains; ++i) (i < 3 ? normal : shear) += strain[i] * (stress[i] + 0.5 * sudden[i]);
    return held - (normal + shear + shear);
}

/// Moduli once all mechanisms have relaxed.
inline Material relaxed(Material material, std::span<const Mechanism> mechanisms) {
    for (const Mechanism& one : mechanisms) {
        material.lambda -= one.lambda;
        material.mu -= one.mu;
    }
    return material;
}

/// The same of rock that relaxes: what its springs hold, those of the mechanisms included. `material` is unrelaxed,
/// `memory(function, mechanism, strain)` what it remembers. Without mechanisms to the bit as above.
template <class Masses, class Coefficient, class Memory>
Energy energy_of(const Masses& mass, const Material& material, std::span<const Mechanism> mechanisms,
                 double volume, const Coefficient& coefficient, const Memory& memory) {
    if (mechanisms.empty()) return energy_of(mass, material, volume, coefficient);
    const auto compliance = Viscoelastic::Compliance<double>::of(material.lambda, material.mu);
    Energy energy;
    int k = 0;
    for (const double one : mass) {
        double q[9], zeta[Viscoelastic::strains * Viscoelastic::most_mechanisms], speed = 0.0;
        for (int i = 0; i < 9; ++i) q[i] = coefficient(k, i);
        for (std::size_t i = 0; i < mechanisms.size() * Viscoelastic::strains; ++i)
            zeta[i] = memory(k, i / Viscoelastic::strains, i % Viscoelastic::strains);
        for (int i = 6; i < 9; ++i) speed += q[i] * q[i];
        energy.elastic += 6.0 * volume * one *
                          energy_of_relaxing(
                              compliance,
                              [&](int l) {
                                  return Viscoelastic::Mechanism<double>{
                                      mechanisms[l].frequency, mechanisms[l].lambda, mechanisms[l].mu};
                              },
                              static_cast<int>(mechanisms.size()), q, zeta);
        energy.kinetic += 6.0 * volume * one * 0.5 * material.density * speed;
        ++k;
    }
    return energy;
}

}  // namespace groundswell::quake
