#pragma once

#include <array>
#include <span>
#include <vector>

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
    /// Squares of the stress that the spring bears which never relaxes (shear counts twice), of its trace, and of the velocity.
    double stress = 0.0, trace = 0.0, velocity = 0.0;
    double relaxing = 0.0;          ///< what springs that relax hold, J m⁻³
    double lambda = 0.0, mu = 0.0;  ///< the moduli of these springs, Pa
};

/// The energy of an element from these. `m` is unrelaxed.
inline double energy_of_squares(const Material& m, double volume, const SquaresOfElement& of) {
    return 6.0 * volume *
           (energy_of_stress(m.lambda - of.lambda, m.mu - of.mu, of.stress, of.trace) + of.relaxing +
            0.5 * m.density * of.velocity);
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
    // A mechanism's spring is strained by ε − ζ; what it bears is not borne by the spring that never relaxes.
    const Material last = relaxed(material, mechanisms);
    const auto compliance = Viscoelastic::Compliance<double>::of(material.lambda, material.mu);
    std::vector<std::array<double, 6>> borne;
    double held = 0.0;
    int k = 0;
    for (const double one : mass) {
        std::array<double, 6> stress, strain;
        std::array<double, 6 * Viscoelastic::most_mechanisms> zeta;
        for (int i = 0; i < 6; ++i) stress[i] = coefficient(k, i);
        for (std::size_t l = 0; l < mechanisms.size(); ++l) {
            for (int i = 0; i < 6; ++i) zeta[6 * l + i] = memory(k, l, i);
        }
        Viscoelastic::strain_of(
            compliance, [&](int l) -> const Mechanism& { return mechanisms[l]; },
            static_cast<int>(mechanisms.size()), stress.data(), zeta.data(), strain.data());
        for (std::size_t l = 0; l < mechanisms.size(); ++l) {
            const Mechanism& of = mechanisms[l];
            std::array<double, 6> spring;
            double squares = 0.0;
            for (int i = 0; i < 6; ++i) {
                spring[i] = strain[i] - zeta[6 * l + i];
                squares += (i < 3 ? 1.0 : 2.0) * spring[i] * spring[i];
            }
            const double trace = spring[0] + spring[1] + spring[2];
            Viscoelastic::relax(of.lambda, of.mu, spring.data(), stress.data());
            held += 6.0 * volume * one * (0.5 * of.lambda * trace * trace + of.mu * squares);
        }
        borne.push_back(stress);
        ++k;
    }
    Energy energy = energy_of(mass, last, volume, [&](int function, int q) {
        return q < 6 ? borne[function][q] : coefficient(function, q);
    });
    energy.elastic += held;
    return energy;
}

}  // namespace groundswell::quake
