#pragma once

#include <array>

/// The isotropic elastic wave equations in velocity–stress form, as functions of one place. `Value` is a number,
/// or a pack of numbers that belong to as many elements.
///
///     ρ ∂v/∂t = ∇·σ,    ∂σ/∂t = λ (∇·v) I + μ (∇v + ∇vᵀ)
///
/// Unknowns: σxx σyy σzz σxy σyz σxz vx vy vz; tension is positive; the stress is the change from the initial
/// one (M. Käser and M. Dumbser 2006, doi:10.1111/j.1365-246X.2006.03051.x, equation 1).
namespace groundswell::quake {

struct Elastic {
    static constexpr int quantities = 9;
    static constexpr bool remembers = false;  ///< whether the stress depends on what was before
    /// Data that two elements exchange at a face: traction and velocity.
    static constexpr int face_quantities = 6;
    /// Waves that enter an element through a face: one P and two S.
    static constexpr int waves = 3;

    static constexpr int xx = 0, yy = 1, zz = 2, xy = 3, yz = 4, xz = 5, vx = 6;
    /// Index of the stress between axes i and j.
    static constexpr int stress(int i, int j) {
        if (i == j) return xx + i;
        return i + j == 1 ? xy : i + j == 3 ? yz : xz;
    }

    /// Operations in one call of each of the functions below.
    static constexpr int rate_operations = 115, side_operations = 15, entering_operations = 46,
                         flux_operations = 46;

    /// Material of an element.
    template <class Value>
    struct Material {
        Value gradient[3][3];   ///< ∂ξ_d/∂x_j, m⁻¹
        Value lambda, mu;       ///< Pa
        Value buoyancy;         ///< 1/ρ, m³ kg⁻¹
        Value vp_minus_vs, vs;  ///< m s⁻¹
    };

    /// Coefficients of a face of an element. Beyond lies the element across, or what a boundary stands for.
    template <class Value>
    struct Face {
        Value normal[3];       ///< outward, of length 1
        Value scale;           ///< area / (3 volume): surface integrals over the reference element's, m⁻¹
        Value present;         ///< 1; 0 where no wave comes in: an absorbing boundary
        Value zp, zs;          ///< impedances ρ vp and ρ vs beyond, kg m⁻² s⁻¹
        Value per_zp, per_zs;  ///< one over the sum of the impedances on both sides
    };

    /// ∂q/∂t from the derivatives along the reference axes: [axis][quantity].
    template <class Value>
    static constexpr __attribute__((always_inline)) void rate(const Material<Value>& m,
                                                              const Value (&along)[3][9], Value (&rate)[9]) {
        stress_rate(m, along, rate);
        velocity_rate(m, along, rate);
    }
    /// The stress's part of it, from the derivatives of the velocity.
    template <class Value>
    static constexpr __attribute__((always_inline)) void stress_rate(const Material<Value>& m,
                                                                     const Value (&along)[3][9],
                                                                     Value (&rate)[9]) {
        const auto derivative = [&](int quantity, int axis) {
            Value sum = m.gradient[0][axis] * along[0][quantity];
            sum += m.gradient[1][axis] * along[1][quantity];
            sum += m.gradient[2][axis] * along[2][quantity];
            return sum;
        };
        const Value dxx = derivative(vx, 0), dyy = derivative(vx + 1, 1), dzz = derivative(vx + 2, 2);
        const Value pressure = m.lambda * (dxx + dyy + dzz), twice = m.mu + m.mu;
        rate[xx] = pressure + twice * dxx;
        rate[yy] = pressure + twice * dyy;
        rate[zz] = pressure + twice * dzz;
        rate[xy] = m.mu * (derivative(vx, 1) + derivative(vx + 1, 0));
        rate[yz] = m.mu * (derivative(vx + 1, 2) + derivative(vx + 2, 1));
        rate[xz] = m.mu * (derivative(vx, 2) + derivative(vx + 2, 0));
    }
    /// The velocity's, from those of the stress.
    template <class Value>
    static constexpr __attribute__((always_inline)) void velocity_rate(const Material<Value>& m,
                                                                       const Value (&along)[3][9],
                                                                       Value (&rate)[9]) {
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i) {
            Value divergence = m.gradient[0][0] * along[0][stress(i, 0)];
            divergence += m.gradient[1][0] * along[1][stress(i, 0)];
            divergence += m.gradient[2][0] * along[2][stress(i, 0)];
#pragma GCC unroll 3
            for (int j = 1; j < 3; ++j) {
                divergence += m.gradient[0][j] * along[0][stress(i, j)];
                divergence += m.gradient[1][j] * along[1][stress(i, j)];
                divergence += m.gradient[2][j] * along[2][stress(i, j)];
            }
            rate[vx + i] = m.buoyancy * divergence;
        }
    }

    /// The traction σ·n.
    template <class Value>
    static constexpr __attribute__((always_inline)) void traction(const Value* q, const Value (&normal)[3],
                                                                  Value* traction) {
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i) {
            Value sum = q[stress(i, 0)] * normal[0];
            sum += q[stress(i, 1)] * normal[1];
            sum += q[stress(i, 2)] * normal[2];
            traction[i] = sum;
        }
    }

    /// Traction and velocity.
    template <class Value>
    static constexpr __attribute__((always_inline)) void side(const Value* q, const Value (&normal)[3],
                                                              Value* side) {
        traction(q, normal, side);
        for (int i = 0; i < 3; ++i) side[3 + i] = q[vx + i];
    }

    /// Change of the velocity at a face by the waves that enter, times the face's scale: the exact solution of
    /// the Riemann problem between two materials (R. J. LeVeque 2002, "Finite Volume Methods for Hyperbolic
    /// Problems", section 22.3). `here` and `beyond` are traction and velocity on both sides, each traction with
    /// the outward normal of its own side. At a free surface `beyond` is `here` and so are the impedances: the
    /// tractions cancel.
    template <class Value>
    static constexpr __attribute__((always_inline)) void entering(const Face<Value>& f, const Value* here,
                                                                  const Value* beyond, Value* change) {
        Value pull[3], push[3];
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i) {
            pull[i] = -(f.present * beyond[i] + here[i]);
            push[i] = f.present * beyond[3 + i] - here[3 + i];
        }
        Value along = pull[0] * f.normal[0], speed = push[0] * f.normal[0];
        along += pull[1] * f.normal[1];
        speed += push[1] * f.normal[1];
        along += pull[2] * f.normal[2];
        speed += push[2] * f.normal[2];
        const Value shear = f.per_zs * f.scale;
        const Value normal = f.scale * f.per_zp * (along + f.zp * speed) - shear * (along + f.zs * speed);
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i) {
            const Value sum = pull[i] + f.zs * push[i];
            change[i] = shear * sum + normal * f.normal[i];
        }
    }

    /// Adds to ∂q/∂t what a change of velocity by `change`, lifted from the face, brings: A·n (q* − q).
    template <class Value>
    static constexpr __attribute__((always_inline)) void add_flux(const Material<Value>& m,
                                                                  const Face<Value>& f,
                                                                  const Value (&change)[3], Value (&q)[9]) {
        Value along = change[0] * f.normal[0];
        along += change[1] * f.normal[1];
        along += change[2] * f.normal[2];
        const Value pressure = m.lambda * along, impulse = m.vp_minus_vs * along;
        const Value x = m.mu * change[0], y = m.mu * change[1], z = m.mu * change[2];
        q[xx] += pressure;
        q[yy] += pressure;
        q[zz] += pressure;
        q[xx] += (x + x) * f.normal[0];
        q[yy] += (y + y) * f.normal[1];
        q[zz] += (z + z) * f.normal[2];
        q[xy] += x * f.normal[1];
        q[xy] += y * f.normal[0];
        q[yz] += y * f.normal[2];
        q[yz] += z * f.normal[1];
        q[xz] += x * f.normal[2];
        q[xz] += z * f.normal[0];
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i) {
            q[vx + i] += m.vs * change[i];
            q[vx + i] += impulse * f.normal[i];
        }
    }
};

}  // namespace groundswell::quake
