#pragma once

#include <optional>
#include <string>
#include <vector>

#include "groundswell/quake/material.hpp"

namespace groundswell::quake {

/// A material as people state it: its density, and the speeds of its waves or its two moduli.
struct StatedRock {
    double density = 0.0;  ///< kg m⁻³
    double first = 0.0;    ///< vp, m s⁻¹, or λ, Pa
    double second = 0.0;   ///< vs, m s⁻¹, or μ, Pa
    bool moduli = false;   ///< λ and μ
    double loss_p = 0.0;   ///< 1/Q of P waves; 0: they lose nothing
    double loss_s = 0.0;   ///< 1/Q of S waves
    /// In place of `first` and `second` the 21 of anisotropic rock, Pa, as name_of_constant() orders them; empty: isotropic.
    std::vector<double> constants{};

    Material material() const;
    /// The same, but of anisotropic rock the density and the constants alone: to take means of.
    Material sample() const;
};

/// Between two rocks that are stated alike, each value by itself: `weight` 0 gives `a` and 1 `b`, to the bit.
StatedRock between(const StatedRock& a, const StatedRock& b, double weight);

/// 1/Q from Q, where 0 says that nothing is lost.
inline double loss_of(double quality) {
    return quality == 0.0 ? 0.0 : 1.0 / quality;
}

/// The modulus of compression, Pa.
double bulk_modulus(const Material& material);

/// A flaw that no rock can have, or with which nothing can be computed: which value is wrong, and what was expected of it.
struct Flaw {
    std::string key;  ///< density, vp, vs, lambda, mu, qp, qs, or one of the 21 constants
    double value = 0.0;
    std::string expected;
};

/// The flaw of a rock that cannot carry waves: density and the modulus of compression must be above zero, that of shear too or be
/// zero, which is water, and neither may gain energy; the 21 constants must be positive definite. What lies between() two sound rocks is sound, but for a trace of the last.
std::optional<Flaw> flaw_of(const StatedRock& rock);

}  // namespace groundswell::quake
