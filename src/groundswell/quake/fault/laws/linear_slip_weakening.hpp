#pragma once

#include "groundswell/quake/fault/friction.hpp"

namespace groundswell::quake {

/// Friction that falls linearly with slip (Y. Ida 1972, doi:10.1029/JB077i020p03796; D. J. Andrews 1976,
/// doi:10.1029/JB081i020p03575). Where rupture is forced it falls with time as well, as the community's benchmarks have it.
///
/// The strength in a sub-step is that which slip has left before. Slip that weakens is integrated from the slip rate's
/// projection onto the scheme's polynomials on the face, so that no point runs away from its neighbours.
struct LinearSlipWeakening {
    enum { static_friction, dynamic_friction, slip_distance, cohesion, forced_time, parameters };
    enum { forced_duration };
    enum { weakening_slip = fault_states };

    template <class Value>
    static Value strength(const Slipping<Value>& s, int p) {
        const Value pressure = greater(Value(-s.normal[p]), Value{});
        return s.parameter[cohesion * s.points + p] + s.state[friction * s.points + p] * pressure;
    }

    /// `rate`: that weakens.
    template <class Value>
    static void weaken(const Slipping<Value>& s, const Value* rate) {
        const Value zero{}, one = zero + 1.0, now = zero + (s.time + s.length);
        const double duration = s.of_fault[forced_duration];
        for (int p = 0; p < s.points; ++p) {
            Value& slip = s.state[weakening_slip * s.points + p];
            slip += rate[p] * s.length;
            if (s.scheme.negative_slip == NegativeSlip::dropped) slip = greater(slip, zero);
            const Value size = greater(slip, Value(-slip));
            Value weakened = lesser(Value(size / s.parameter[slip_distance * s.points + p]), one);
            const Value late = now - s.parameter[forced_time * s.points + p];
            const Value forced = duration > 0.0 ? lesser(greater(Value(late / duration), zero), one)
                                                : (late >= zero ? one : zero);
            weakened = greater(weakened, forced);
            const Value first = s.parameter[static_friction * s.points + p];
            const Value fall = first - s.parameter[dynamic_friction * s.points + p];
            s.state[friction * s.points + p] = first - fall * weakened;
        }
    }

    template <class Value>
    static void start(const Slipping<Value>& s) {
        for (int p = 0; p < s.points; ++p)
            s.state[friction * s.points + p] = s.parameter[static_friction * s.points + p];
    }

    template <class Value>
    static void slip(const Slipping<Value>& s) {
        for (int p = 0; p < s.points; ++p)
            s.rate[p] = greater(Value((s.shear[p] - strength(s, p)) * s.per_eta), Value{});
        smooth(s, s.rate, s.scratch);
        weaken(s, s.scratch);
    }
};

}  // namespace groundswell::quake
