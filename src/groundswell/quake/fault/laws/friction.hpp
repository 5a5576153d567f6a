#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "groundswell/quake/source/point/time_function.hpp"

/// Shared parts of friction laws: the numbers that a fault keeps at each of its points, functions of packs of points, and friction by a
/// function that stands outside of the laws.

namespace groundswell::quake {

/// Points of a pack of faces at the end of a sub-step. Arrays have `count` values, those of several numbers [number][count]. Faces that
/// fill up a pack stand in it twice.
struct FrictionPoints {
    int count;
    double time, length;      ///< of the end of the sub-step, s; s
    const double* place;      ///< [3] m
    const double* slip;       ///< m, that has weakened the fault so far
    const double* rate;       ///< m s⁻¹, by which it has grown in this sub-step
    const double* normal;     ///< Pa, tension positive
    const double* parameter;  ///< [LawDescription::at_places]
    double* state;            ///< a number for the function to keep; 0 at the start
    double* friction;         ///< that of the law; what the function leaves is felt in the next sub-step
};

/// A function that takes the place of a law's friction: see LawDescription::takes_function.
class GivenFriction {
public:
    virtual ~GivenFriction() = default;
    /// Called by all threads of a rank at once. What fails is kept for tell().
    virtual void change(const FrictionPoints& points) noexcept = 0;
    /// Throws what has failed on this rank.
    virtual void tell() const = 0;
};

/// Kept at a point from step to step, [FaultState][point]. Behind them stand those of the law.
enum FaultState {
    slip_strike,   ///< m, in directions of FaultFrame; slip is the way of the − side past the + side
    slip_dip,      ///< m
    slip_path,     ///< m, the integral of the slip rate along the traction, which is its magnitude
    rate_strike,   ///< m s⁻¹, in the last sub-step
    rate_dip,      ///< m s⁻¹
    peak_rate,     ///< m s⁻¹, the greatest magnitude so far
    rupture_time,  ///< s, when the magnitude first exceeded rupture_rate; never_ruptured before
    friction,      ///< the coefficient after the last sub-step
    normal_change,  ///< Pa, traction in the last sub-step less the initial one: normal, along strike, along dip
    strike_change,
    dip_change,
    friction_work,  ///< J m⁻², the integral of traction times slip rate
    released_work,  ///< J m⁻², the same with the initial traction less the traction: what goes into waves and strain
    jump_path,  ///< m, the integral of the jump of velocity across the face, in any direction; 0 unless asked for
    warming,         ///< K, by slip; 0 unless slip heats
    pore_pressure,   ///< Pa, that this has added to that of the fluid
    weakening_time,  ///< s, see LawDescription::left_to_weaken; never_ruptured before, or if nobody asks
    fault_states
};
/// The most states that a law keeps for itself.
inline constexpr int law_states = 2;
inline constexpr int kept_states = fault_states + law_states;
/// Numbers that a law has at each place, at most.
inline constexpr int most_law_parameters = 8;

/// Slip rate that makes a point ruptured, m s⁻¹ (the community's benchmarks: R. A. Harris et al. 2009,
/// doi:10.1785/gssrl.80.1.119).
inline constexpr double rupture_rate = 1e-3;
inline constexpr double never_ruptured = 1e30;

/// Numbers in a value: 1, or the lanes of a pack.
template <class Value>
constexpr unsigned lanes_in() {
    if constexpr (std::is_arithmetic_v<Value>)
        return 1;
    else
        return sizeof(Value) / sizeof(std::declval<Value>()[0]);
}
template <class Value, class Function>
constexpr __attribute__((always_inline)) Value by_lane(const Value& x, const Function& function) {
    if constexpr (std::is_arithmetic_v<Value>) {
        return function(x);
    } else {
        Value result;
        for (unsigned lane = 0; lane < lanes_in<Value>(); ++lane) result[lane] = function(x[lane]);
        return result;
    }
}
template <class Value>
constexpr __attribute__((always_inline)) Value root(const Value& x) {
    return by_lane(x, [](double one) { return std::sqrt(one); });
}
template <class Value>
constexpr Value exponential(const Value& x) {
    return by_lane(x, [](double one) { return std::exp(one); });
}
template <class Value>
constexpr __attribute__((always_inline)) Value greater(const Value& a, const Value& b) {
    return a > b ? a : b;
}
template <class Value>
constexpr __attribute__((always_inline)) Value lesser(const Value& a, const Value& b) {
    return a < b ? a : b;
}

/// Method by which rate-and-state friction finds the slip rate and the state at the end of a sub-step: both at once, or by a prediction and
/// one correction, with the state of the mean of two slip rates (N. Lapusta, J. R. Rice, Y. Ben-Zion and G. Zheng 2000,
/// doi:10.1029/2000JB900250, appendix A).
enum class StateEvolution { implicit, two_stage };
/// Treatment of slip that the projection onto the face's polynomials has made negative, where slip weakens: it weakens as much
/// as slip of its size, or it is dropped.
enum class NegativeSlip { weakens, dropped };
/// Method of a sub-step of friction, where there is more than one way.
struct FrictionScheme {
    StateEvolution evolution = StateEvolution::implicit;
    NegativeSlip negative_slip = NegativeSlip::dropped;
};

/// Numbers of one point: of an array [value][point], or [value] alone.
template <class Value>
struct PointNumbers {
    const Value* first;
    std::ptrdiff_t stride = 1;

    constexpr const Value& operator[](int which) const { return first[which * stride]; }
};

/// Share of what grows smoothly over a time that is there after another: a smooth step from 0 to 1 (the community's benchmarks of
/// rate-and-state friction, R. A. Harris et al. 2009).
template <std::same_as<double> T>
constexpr T smooth_step(T time, T duration) {
    if (time <= 0.0) return 0.0;
    if (time >= duration) return 1.0;
    const T left = time - duration;
    return std::exp(left * left / (time * (time - 2.0 * duration)));
}

/// Slip rates that laws of imposed slip choose from by their number.
using SlipSeries = std::vector<std::unique_ptr<TimeFunction>>;

/// A sub-step of a pack of faces, as a law sees it. Arrays are [value][point]; tractions are total ones. Laws take it as a template, since
/// whoever deals out points otherwise has one of its own with the same members: they ask it to call them for each point, and for
/// the impedance at one.
template <class Value>
struct Slipping {
    using Number = Value;
    int points;
    double time, length;     ///< of its start, s; s
    Value per_eta;           ///< one over the impedance of the fault to shear, m s⁻¹ Pa⁻¹
    Value eta;               ///< Pa s m⁻¹
    const Value* normal;     ///< Pa, tension positive
    const Value* shear;      ///< Pa, the magnitude that a locked fault would bear
    const Value* parameter;  ///< [LawDescription::at_places][point]
    const double* of_fault;  ///< LawDescription::of_fault
    Value* state;  ///< [kept_states][point]: the law changes its own, and the coefficient of friction
    Value* rate;   ///< [point] the slip rate's magnitude: what the law finds
    /// [point] for the law to use.
    Value* scratch;
    /// Projects values at points onto the polynomials of the scheme, taken at the points: [point] → [point].
    const double* smoothing;
    FrictionScheme scheme = {};
    Value* along = nullptr;  ///< [strike, dip][point]: the mean slip rate, of laws that impose it
    const SlipSeries* series = nullptr;
    GivenFriction* given = nullptr;  ///< null: friction is the law's
    const Value* place = nullptr;    ///< [3][point] m, for that

    /// Calls body(point) for all that are dealt to the caller: here, all.
    template <class Body>
    __attribute__((always_inline)) void for_each_point(const Body& body) const {
        for (int p = 0; p < points; ++p) body(p);
    }
    const Value& impedance(int /*point*/) const { return eta; }
    const Value& per_impedance(int /*point*/) const { return per_eta; }

    PointNumbers<Value> parameters(int point) const { return {parameter + point, points}; }
    PointNumbers<Value> states(int point) const { return {state + point, points}; }
    Value pressure(int point) const { return greater(Value(-normal[point]), Value{}); }
};

/// Calls use(point, value) with the values of smoothing · `from`, which it must leave as they are.
template <class Value, class Use>
inline __attribute__((always_inline)) void smooth(const Slipping<Value>& s, const Value* from,
                                                  const Use& use) {
    for (int p = 0; p < s.points; ++p) {
        Value sum{};
        for (int r = 0; r < s.points; ++r) sum += s.smoothing[p * s.points + r] * from[r];
        use(p, sum);
    }
}

}  // namespace groundswell::quake
