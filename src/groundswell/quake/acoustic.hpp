#pragma once

#include "groundswell/quake/elastic.hpp"

/// The wave equations of a liquid, which bears no shear: the elastic ones with μ = 0, where the stress is −p I.
///
///     ρ ∂v/∂t = −∇p,    ∂p/∂t = −λ ∇·v
///
/// Unknowns: −p vx vy vz. At a face with rock the tangential traction is zero and what the liquid does along it plays no part
/// (L. C. Wilcox et al. 2010, doi:10.1016/j.jcp.2010.09.008, section 4.3): Elastic::entering where one of the two S impedances is
/// zero.
namespace groundswell::quake {

struct Acoustic {
    static constexpr int quantities = 4;
    static constexpr bool remembers = false;
    /// Data that two elements exchange at a face: −p, and the velocity along the outward normal of its own side. Of rock the
    /// same, once traction and velocity are taken along the normal.
    static constexpr int face_quantities = 2;
    /// The wave that enters an element through a face.
    static constexpr int waves = 1;
    static constexpr int vx = 1;

    /// Operations in one call of each of the functions below.
    static constexpr int rate_operations = 36, side_operations = 5, entering_operations = 9,
                         flux_operations = 9;

    template <class Value>
    using Material = Elastic::Material<Value>;
    /// But that `present` is -1 at a free surface, where `beyond` is `here`: the pressures cancel.
    template <class Value>
    using Face = Elastic::Face<Value>;

    /// ∂q/∂t from the derivatives along the reference axes: [axis][quantity].
    template <class Value>
    static constexpr __attribute__((always_inline)) void rate(const Material<Value>& m,
                                                              const Value (&along)[3][4], Value (&rate)[4]) {
        const auto derivative = [&](int quantity, int axis) {
            Value sum = m.gradient[0][axis] * along[0][quantity];
            sum += m.gradient[1][axis] * along[1][quantity];
            sum += m.gradient[2][axis] * along[2][quantity];
            return sum;
        };
        rate[0] = m.lambda * (derivative(vx, 0) + derivative(vx + 1, 1) + derivative(vx + 2, 2));
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i) rate[vx + i] = m.buoyancy * derivative(0, i);
    }

    /// −p, and the velocity along the normal.
    template <class Value>
    static constexpr __attribute__((always_inline)) void side(const Value* q, const Value (&normal)[3],
                                                              Value* side) {
        side[0] = q[0];
        side[1] = q[vx] * normal[0];
        side[1] += q[vx + 1] * normal[1];
        side[1] += q[vx + 2] * normal[2];
    }

    /// As Elastic::entering: change of the velocity along the normal.
    template <class Value>
    static constexpr __attribute__((always_inline)) void entering(const Face<Value>& f, const Value* here,
                                                                  const Value* beyond, Value* change) {
        const Value along = f.present * beyond[0] - here[0], speed = f.present * beyond[1] + here[1];
        change[0] = f.scale * f.per_zp * (along - f.zp * speed);
    }

    /// A value of a side of rock, as `face_quantities` has them, of its traction or velocity; its element lies across a face with this
    /// normal.
    template <class Real>
    static constexpr Real from_rock(const Real* vector, const Real (&normal)[3]) {
        Real sum = vector[0] * normal[0];
        sum += vector[1] * normal[1];
        sum += vector[2] * normal[2];
        return -sum;
    }
    /// And a component of traction or velocity of a side of water, for rock.
    template <class Real>
    static constexpr Real to_rock(Real value, Real normal) {
        return -(value * normal);
    }

    /// Adds to ∂q/∂t what a change of velocity along the normal, lifted from the face, brings.
    template <class Value>
    static constexpr __attribute__((always_inline)) void add_flux(const Material<Value>& m,
                                                                  const Face<Value>& f,
                                                                  const Value (&change)[1], Value (&q)[4]) {
        q[0] += m.lambda * change[0];
        const Value impulse = m.vp_minus_vs * change[0];
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i) q[vx + i] += impulse * f.normal[i];
    }
};

}  // namespace groundswell::quake
