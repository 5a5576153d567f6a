#pragma once

#include <span>

#include "groundswell/quake/attenuation/attenuation.hpp"
#include "groundswell/quake/material.hpp"

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
    // A mechanism's spring is strained by ϑ/ω; what it bears is not borne by the spring that never relaxes.
    double held = 0.0;
    int k = 0;
    for (const double one : mass) {
        for (std::size_t l = 0; l < mechanisms.size(); ++l) {
            double squares = 0.0, trace = 0.0;
            for (int i = 0; i < 6; ++i) {
                const double strain = memory(k, l, i) / mechanisms[l].frequency;
                squares += (i < 3 ? 1.0 : 2.0) * strain * strain;
                if (i < 3) trace += strain;
            }
            held += 6.0 * volume * one *
                    (0.5 * mechanisms[l].lambda * trace * trace + mechanisms[l].mu * squares);
        }
        ++k;
    }
    Energy energy = energy_of(mass, relaxed(material, mechanisms), volume, [&](int function, int q) {
        double value = coefficient(function, q);
        if (q >= 6) return value;
        for (std::size_t l = 0; l < mechanisms.size(); ++l) {
            const double per = 1.0 / mechanisms[l].frequency;
            value -= 2.0 * mechanisms[l].mu * per * memory(function, l, q);
            for (int i = 0; q < 3 && i < 3; ++i) value -= mechanisms[l].lambda * per * memory(function, l, i);
        }
        return value;
    });
    energy.elastic += held;
    return energy;
}

}  // namespace groundswell::quake
