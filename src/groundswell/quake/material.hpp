#pragma once

#include <cmath>
#include <memory>

#include "groundswell/quake/anisotropy/stiffness.hpp"

namespace groundswell::quake {

/// Material, elastic or not.
struct Material {
    double density = 0.0;  ///< kg m⁻³
    /// Pa; of anisotropic rock those by which vp() and vs() are the speeds of its fastest and its slowest wave in any direction.
    double lambda = 0.0, mu = 0.0;
    double loss_p = 0.0;                           ///< 1/Q of P waves; 0: they lose nothing
    double loss_s = 0.0;                           ///< 1/Q of S waves
    std::shared_ptr<const Stiffness> stiffness{};  ///< of anisotropic rock; null: isotropic

    bool operator==(const Material&) const = default;

    bool is_anisotropic() const { return stiffness != nullptr; }
    bool is_liquid() const { return mu == 0.0; }  ///< bears no shear: water

    double vp() const { return std::sqrt((lambda + 2.0 * mu) / density); }  ///< m s⁻¹
    double vs() const { return std::sqrt(mu / density); }                   ///< m s⁻¹
    double zp() const { return density * vp(); }                            ///< impedance, kg m⁻² s⁻¹
    double zs() const { return density * vs(); }
};

inline Material anisotropic(double density, const Stiffness& stiffness) {
    const auto [least, greatest] = stiffness.moduli();
    return {density, greatest - 2.0 * least, least, 0.0, 0.0, std::make_shared<const Stiffness>(stiffness)};
}

/// The harmonic mean of the shear moduli of two sides, Pa; 0 where one of them is a liquid.
inline double shear_modulus_between(const Material& one, const Material& other) {
    const double a = one.mu, b = other.mu;
    return a > 0.0 && b > 0.0 ? 2.0 * a * b / (a + b) : 0.0;
}

}  // namespace groundswell::quake
