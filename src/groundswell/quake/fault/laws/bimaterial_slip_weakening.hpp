#pragma once

#include "groundswell/quake/fault/laws/linear_slip_weakening.hpp"

namespace groundswell::quake {

/// Friction that falls linearly with slip, and a strength that follows changes of the normal stress with a delay, without
/// which rupture between two materials has no solution (A. M. Rubin and J.-P. Ampuero 2007, doi:10.1029/2006JB004674,
/// equation 2, after V. Prakash and R. J. Clifton 1993). Each point weakens by its own slip.
struct BimaterialSlipWeakening : LinearSlipWeakening {
    enum { regularisation_velocity = forced_duration + 1, regularisation_length };
    enum { delayed_strength = fault_states + 1 };

    template <class Value>
    static void start(const Slipping<Value>& s) {
        LinearSlipWeakening::start(s);
        for (int p = 0; p < s.points; ++p) s.state[delayed_strength * s.points + p] = strength(s, p);
    }

    template <class Value>
    static void slip(const Slipping<Value>& s) {
        const double velocity = s.of_fault[regularisation_velocity];
        const double length = s.of_fault[regularisation_length];
        for (int p = 0; p < s.points; ++p) {
            const Value along = s.state[rate_strike * s.points + p], down = s.state[rate_dip * s.points + p];
            const Value before = root(Value(along * along + down * down));
            const Value left = exponential(Value(-(before + velocity) * (s.length / length)));
            Value& delayed = s.state[delayed_strength * s.points + p];
            delayed = delayed * left + strength(s, p) * (1.0 - left);
            s.rate[p] = greater(Value((s.shear[p] - delayed) * s.per_eta), Value{});
        }
        weaken(s, s.rate);
    }
};

}  // namespace groundswell::quake
