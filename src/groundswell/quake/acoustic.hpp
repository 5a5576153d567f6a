#pragma once

#include "groundswell/quake/elastic.hpp"

/// The wave equations of a liquid, which bears no shear: the elastic ones with μ = 0, where the stress is −p I.
///
///     ρ ∂v/∂t = −∇p,    ∂p/∂t = −λ ∇·v
///
/// Unknowns: −p vx vy vz. In memory, and to elements of rock, they are those of Elastic. At a face with rock the tangential
/// traction is zero and what the liquid does along it plays no part (L. C. Wilcox et al. 2010,
/// doi:10.1016/j.jcp.2010.09.008, section 4.3): Elastic::entering where one of the two S impedances is zero.
namespace groundswell::quake {

struct Acoustic {
    static constexpr int quantities = 4;
    static constexpr bool remembers = false;
    static constexpr int face_quantities = Elastic::face_quantities;
    /// Data that goes through a face: −p and the velocity along the normal.
    static constexpr int through_face = 2;
    /// The wave that enters an element through a face.
    static constexpr int waves = 1;
    static constexpr int vx = 1;

    /// Unknowns in memory, and the place of one of these there.
    static constexpr int stored = Elastic::quantities;
    static constexpr int place(int quantity) {
        return quantity < vx ? Elastic::xx : Elastic::vx + quantity - vx;
    }

    /// Operations in one call of each of the functions below.
    static constexpr int rate_operations = 36, side_operations = 5, send_operations = 6,
                         entering_operations = 27, flux_operations = 9;

    template <class Value>
    using Material = Elastic::Material<Value>;
    template <class Value>
    using Face = Elastic::Face<Value>;

    /// All unknowns that memory has.
    template <class Value>
    static constexpr __attribute__((always_inline)) void store(const Value* q, Value* stored) {
        stored[Elastic::xx] = stored[Elastic::yy] = stored[Elastic::zz] = q[0];
        for (int i = 0; i < 3; ++i) stored[Elastic::vx + i] = q[vx + i];
    }

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

    /// The same as traction and velocity: −p n, and the part of the velocity along n.
    template <class Value>
    static constexpr __attribute__((always_inline)) void send(const Value (&side)[2],
                                                              const Value (&normal)[3], Value* trace) {
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i) {
            trace[i] = side[0] * normal[i];
            trace[3 + i] = side[1] * normal[i];
        }
    }

    /// As Elastic::entering: change of the velocity along the normal.
    template <class Value>
    static constexpr __attribute__((always_inline)) void entering(const Face<Value>& f, const Value* here,
                                                                  const Value* beyond, Value* change) {
        Value along{}, speed{};
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i) {
            along -= (f.present * beyond[i] + here[i]) * f.normal[i];
            speed += (f.present * beyond[3 + i] - here[3 + i]) * f.normal[i];
        }
        change[0] = f.scale * f.per_zp * (along + f.zp * speed);
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
