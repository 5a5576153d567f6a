#pragma once

#include <cmath>

/// Yielding of rock that is stressed beyond its strength.
namespace groundswell::quake {

/// At a place.
template <class Value>
struct YieldingRock {
    Value stress[6];  ///< Pa, initial: xx, yy, zz, xy, yz, xz, tension positive
    Value cohesion;   ///< Pa, c cos φ of the cohesion c and the angle of internal friction φ
    Value friction;   ///< sin φ
};

/// Drucker–Prager rock that relaxes towards its strength within some time (S. Wollherr, A.-A. Gabriel and C. Uphoff 2018,
/// doi:10.1093/gji/ggy213, section 2.2; D. J. Andrews 2005, doi:10.1029/2004JB003191): where τ = √(½ s:s) of the deviator s of
/// all stress exceeds τ_c = max(0, c cos φ − σ_m sin φ), s becomes s (1 + (1 − exp(−t/T)) (τ_c/τ − 1)).
///
/// `change`: what is added to the initial stress, xx yy zz xy yz xz. `share`: 1 − exp(−t/T). Returns the factor of s less 1, below
/// 0 where rock yields and 0 where it does not; `added` is that times s, and `tau` is τ before.
template <class Value>
constexpr Value yield(const YieldingRock<Value>& rock, const Value* change, const Value& share, Value* added,
                      Value& tau) {
    const Value zero{};
    Value s[6];
    for (int i = 0; i < 6; ++i) s[i] = rock.stress[i] + change[i];
    const Value mean = (s[0] + s[1] + s[2]) / 3.0F;
    for (int i = 0; i < 3; ++i) s[i] -= mean;
    const Value square =
        (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) * 0.5F + s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
    const Value strength = rock.cohesion - mean * rock.friction;
    const Value bears = strength > zero ? strength : zero;
    tau = square;
    const Value below = bears * bears;
    const Value beyond = square > below ? square : zero;
    Value factor = zero;
    if constexpr (requires { beyond[0]; }) {
        for (unsigned lane = 0; lane < sizeof(Value) / sizeof(beyond[0]); ++lane) {
            tau[lane] = std::sqrt(square[lane]);
            if (beyond[lane] > 0) factor[lane] = share[lane] * (bears[lane] / tau[lane] - 1);
        }
    } else {
        tau = std::sqrt(square);
        if (beyond > 0) factor = share * (bears / tau - 1);
    }
    for (int i = 0; i < 6; ++i) added[i] = factor * s[i];
    return factor;
}

}  // namespace groundswell::quake
