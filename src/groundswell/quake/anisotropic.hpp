#pragma once

#include "groundswell/quake/elastic.hpp"

/// The anisotropic elastic wave equations in velocity–stress form (J. de la Puente, M. Käser, M. Dumbser and H. Igel 2007,
/// doi:10.1111/j.1365-246X.2007.03381.x, section 2).
///
///     ρ ∂v/∂t = ∇·σ,    ∂σ/∂t = c : ½ (∇v + ∇vᵀ)
///
/// Unknowns, what lies in memory and what elements exchange are those of Elastic, of which these are the general form: so both
/// kinds of rock meet at faces.
namespace groundswell::quake {

struct Anisotropic : Elastic {
    /// Operations in one call of each of the functions below.
    static constexpr int rate_operations = 168, entering_operations = 45, flux_operations = 54;

    /// Constants of a symmetric matrix of the stresses: those of its upper triangle, row by row.
    static constexpr int upper(int i, int j) {
        const int row = i < j ? i : j, column = i < j ? j : i;
        return row * 6 - row * (row - 1) / 2 + column - row;
    }

    /// Material of an element.
    template <class Value>
    struct Material {
        Value gradient[3][3];  ///< ∂ξ_d/∂x_j, m⁻¹
        Value stiffness[21];   ///< for strains whose shears count twice, Pa: see upper()
        Value buoyancy;        ///< 1/ρ, m³ kg⁻¹
    };

    /// Coefficients of a face of an element; with Z and Z' its impedances here and beyond. Symmetric matrices of vectors are
    /// stored as stresses are.
    template <class Value>
    struct Face {
        Value normal[3];     ///< outward, of length 1
        Value present;       ///< as in Elastic::Face
        Value pulled[6];     ///< (Z + Z')⁻¹ times the face's scale: velocity by traction
        Value pushed[3][3];  ///< that times Z': velocity by velocity
        Value pressed[6]
                     [3];  ///< the stress that belongs to a change of the velocity, over its speed, Pa: c n
        Value impulse[6];  ///< Z/ρ, m s⁻¹
    };

    /// As Elastic::rate.
    template <class Value>
    static constexpr __attribute__((always_inline)) void rate(const Material<Value>& m,
                                                              const Value (&along)[3][9], Value (&rate)[9]) {
        const auto derivative = [&](int quantity, int axis) {
            Value sum = m.gradient[0][axis] * along[0][quantity];
            sum += m.gradient[1][axis] * along[1][quantity];
            sum += m.gradient[2][axis] * along[2][quantity];
            return sum;
        };
        const Value strain[6] = {derivative(vx, 0),
                                 derivative(vx + 1, 1),
                                 derivative(vx + 2, 2),
                                 derivative(vx, 1) + derivative(vx + 1, 0),
                                 derivative(vx + 1, 2) + derivative(vx + 2, 1),
                                 derivative(vx, 2) + derivative(vx + 2, 0)};
#pragma GCC unroll 6
        for (int i = 0; i < 6; ++i) {
            Value sum = m.stiffness[upper(i, 0)] * strain[0];
#pragma GCC unroll 6
            for (int j = 1; j < 6; ++j) sum += m.stiffness[upper(i, j)] * strain[j];
            rate[i] = sum;
        }
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i) {
            rate[vx + i] = m.buoyancy * (derivative(stress(i, 0), 0) + derivative(stress(i, 1), 1) +
                                         derivative(stress(i, 2), 2));
        }
    }

    /// As Elastic::entering, with impedances that are matrices: those of the three waves that leave along the normal, each with its
    /// polarisation.
    template <class Value>
    static constexpr __attribute__((always_inline)) void entering(const Face<Value>& f, const Value* here,
                                                                  const Value* beyond, Value* change) {
        Value pull[3], push[3];
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i) {
            pull[i] = -(f.present * beyond[i] + here[i]);
            push[i] = f.present * beyond[3 + i] - here[3 + i];
        }
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i) {
            Value sum = f.pulled[stress(i, 0)] * pull[0];
            sum += f.pulled[stress(i, 1)] * pull[1];
            sum += f.pulled[stress(i, 2)] * pull[2];
            sum += f.pushed[i][0] * push[0];
            sum += f.pushed[i][1] * push[1];
            sum += f.pushed[i][2] * push[2];
            change[i] = sum;
        }
    }

    /// As Elastic::add_flux.
    template <class Value>
    static constexpr __attribute__((always_inline)) void add_flux(const Material<Value>&,
                                                                  const Face<Value>& f,
                                                                  const Value (&change)[3], Value (&q)[9]) {
#pragma GCC unroll 6
        for (int i = 0; i < 6; ++i) {
            q[i] += f.pressed[i][0] * change[0];
            q[i] += f.pressed[i][1] * change[1];
            q[i] += f.pressed[i][2] * change[2];
        }
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i) {
            q[vx + i] += f.impulse[stress(i, 0)] * change[0];
            q[vx + i] += f.impulse[stress(i, 1)] * change[1];
            q[vx + i] += f.impulse[stress(i, 2)] * change[2];
        }
    }
};

}  // namespace groundswell::quake
