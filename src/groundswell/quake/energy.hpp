#pragma once

#include "groundswell/quake/material.hpp"

namespace groundswell::quake {

/// J.
struct Energy {
    double kinetic = 0.0, elastic = 0.0;
};

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
        const double elastic =
            (squares - m.lambda / (3.0 * m.lambda + 2.0 * m.mu) * trace * trace) / (4.0 * m.mu);
        energy.elastic += 6.0 * volume * one * elastic;
        energy.kinetic += 6.0 * volume * one * 0.5 * m.density * speed;
        ++k;
    }
    return energy;
}

}  // namespace groundswell::quake
