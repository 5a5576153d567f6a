#pragma once

#include <span>

#include "groundswell/quake/fault/laws/law.hpp"
#include "groundswell/quake/fault/rule.hpp"
#include "groundswell/quake/fault/thermal.hpp"

/// One time step of the face of a fault, or of a pack of faces.
namespace groundswell::quake {

/// The most points and functions on a face, and derivatives' coefficients of one quantity.
inline constexpr int most_points = FaultRule::most_points(highest_order);
inline constexpr int most_rows = FaultRule::rows(highest_order);
inline constexpr int most_functions = face_basis_size(highest_order);

/// Constants of a face.
template <class Value>
struct FaultFace {
    Value normal[3], strike[3], dip[3];                          ///< see FaultFrame
    Value per_zp_plus, per_zp_minus, per_zs_plus, per_zs_minus;  ///< one over the impedances
    Value eta_p, eta_s;                                          ///< one over the sums of these
};

/// A pack of faces, as the kernel takes it.
template <class Value>
struct FaultBatch {
    const FaultFace<Value>* face;
    /// Derivatives in time of both sides at the start of the step, [row][traction, velocity]; tractions with the outward
    /// normal of their own side.
    const Value *plus, *minus;
    const Value* initial;     ///< [3][point], Pa
    const Value* nucleation;  ///< [episode][nucleation_values][point]: see NucleationStep; null: none
    const Value* parameter;   ///< [parameter][point]
    Value* state;             ///< [kept_states][point]
    /// [basis][3]: what the traction of the + side is, in the mesh's axes, integrated over the step.
    Value* traction;
    const Value* thermal = nullptr;  ///< [thermal_parameters][point]; null: slip does not heat
    Value* heat = nullptr;           ///< [thermal_values][point]
    const Value* place = nullptr;    ///< [3][point] m; null: nobody asks
};

/// Numbers of an episode of nucleation at a point: stress that is added, normal, along strike and dip, Pa; the share of what
/// pressure gives to strength that is taken away; and how much later than the episode it begins there, s.
enum NucleationValue { added_stress, lost_strength = 3, delay, nucleation_values };
/// An episode of nucleation.
struct NucleationStep {
    double start = 0.0, duration = 0.0;     ///< s
    bool weakens = false, spreads = false;  ///< whether there is strength lost, or a delay, anywhere

    template <std::same_as<double> T>
    constexpr T share(T time, T later) const {
        return smooth_step(time - start - later, duration);
    }
};

/// A step of a fault.
struct FaultStep {
    double time = 0.0, length = 0.0;   ///< of the start, s; s
    const double* of_fault = nullptr;  ///< LawDescription::of_fault
    std::span<const NucleationStep> nucleation = {};
    const double* smoothing = nullptr;  ///< [point][point]
    FrictionScheme scheme = {};
    const SlipSeries* series = nullptr;
    const ThermalNumbers* thermal = nullptr;
    GivenFriction* given = nullptr;  ///< null: friction is the law's
};

/// The traction of the + side and what of it changes, if the fault did not slip: [row][normal, strike, dip]. The exact
/// solution of the Riemann problem between two materials (J. de la Puente, J.-P. Ampuero and M. Käser 2009, equation 14).
template <class Value>
constexpr void lock(const FaultFace<Value>& f, const Value* plus, const Value* minus, int rows,
                    Value* locked) {
    for (int row = 0; row < rows; ++row) {
        const Value *a = plus + 6 * row, *b = minus + 6 * row;
        const auto along = [&](const Value(&axis)[3], const Value& eta, const Value& per_plus,
                               const Value& per_minus) {
            Value pull{}, pull_beyond{}, speed{};
            for (int i = 0; i < 3; ++i) {
                pull += axis[i] * a[i];
                pull_beyond -= axis[i] * b[i];
                speed += axis[i] * (b[3 + i] - a[3 + i]);
            }
            return Value(eta * (speed + pull * per_plus + pull_beyond * per_minus));
        };
        locked[3 * row] = along(f.normal, f.eta_p, f.per_zp_plus, f.per_zp_minus);
        locked[3 * row + 1] = along(f.strike, f.eta_s, f.per_zs_plus, f.per_zs_minus);
        locked[3 * row + 2] = along(f.dip, f.eta_s, f.per_zs_plus, f.per_zs_minus);
    }
}

/// Adds what nucleation does at a point by a time to the stress that acts; `felt`: share of the pressure that strength feels.
template <class Value>
constexpr void nucleate(std::span<const NucleationStep> episodes, const Value* nucleation, double time,
                        int points, int p, Value* acting, Value& felt) {
    for (const NucleationStep& episode : episodes) {
        const auto at = [&](int which) -> const Value& { return nucleation[which * points + p]; };
        const Value share = episode.spreads
                                ? by_lane(at(delay), [&](double later) { return episode.share(time, later); })
                                : Value{} + episode.share(time, 0.0);
        for (int c = 0; c < 3; ++c) acting[c] += share * at(added_stress + c);
        if (episode.weakens) felt *= 1.0 - share * at(lost_strength);
        nucleation += nucleation_values * points;
    }
}

/// Update of a point in a sub-step, its slip rate found: `along` strike and dip, and the traction that it leaves.
template <class Law, class Points, class Value>
constexpr void move(const Points& s, int p, const Value& per_shear, const Value* locked, const Value* acting,
                    Value* along, Value* imposed) {
    const Value& eta = s.impedance(p);
    const auto at = [&](int which) -> Value& { return s.state[which * s.points + p]; };
    const Value zero{};
    const Value rate = s.rate[p];
    for (int c = 0; c < 2; ++c) {
        if constexpr (imposes_slip<Law>)
            along[c] = s.along[c * s.points + p];
        else
            along[c] = rate * (acting[1 + c] * per_shear);
    }
    imposed[0] = locked[0];
    imposed[1] = locked[1] - eta * along[0];
    imposed[2] = locked[2] - eta * along[1];
    at(rate_strike) = along[0];
    at(rate_dip) = along[1];
    at(peak_rate) = greater(at(peak_rate), rate);
    const Value breaks = rate > zero + rupture_rate ? zero + s.time : zero + never_ruptured;
    at(rupture_time) = lesser(at(rupture_time), breaks);
    at(normal_change) = imposed[0];
    at(strike_change) = imposed[1];
    at(dip_change) = imposed[2];
}

/// Result of that. Both sides feel no more of the slip rate than its projection onto the polynomials of the face, `along`: that
/// is how they move, and what work is done.
template <class Law, class Points, class Value>
constexpr void account(const Points& s, int p, const Value& per_shear, const Value* locked,
                       const Value* acting, const Value* along) {
    const Value& eta = s.impedance(p);
    const auto at = [&](int which) -> Value& { return s.state[which * s.points + p]; };
    at(slip_strike) += along[0] * s.length;
    at(slip_dip) += along[1] * s.length;
    // What of it goes along the traction. The projection makes some of it negative next to a front; a length that is never
    // negative would grow by that.
    if constexpr (imposes_slip<Law>) {
        const Value given = s.rate[p] > Value{} ? s.rate[p] : Value{} + 1.0;
        at(slip_path) += (along[0] * s.along[p] + along[1] * s.along[s.points + p]) / given * s.length;
    } else {
        at(slip_path) += (along[0] * acting[1] + along[1] * acting[2]) * per_shear * s.length;
    }
    Value all{}, change{};
    for (int c = 0; c < 2; ++c) {
        all += (acting[1 + c] - eta * along[c]) * along[c];
        change += (locked[1 + c] - eta * along[c]) * along[c];
    }
    at(friction_work) += all * s.length;
    at(released_work) -= change * s.length;
}

/// Slips for a step, and says which traction both sides feel.
template <class Law, int order, class Value>
inline void solve_fault(const FaultRule& rule, const FaultStep& step, const FaultBatch<Value>& batch) {
    constexpr int basis = face_basis_size(order), room = FaultRule::most_points(order);
    constexpr int pressing_functions = FaultRule::smooth_functions(order);
    const FaultFace<Value>& f = *batch.face;
    const int points = rule.points();
    Value locked[3 * FaultRule::rows(order)];
    lock(f, batch.plus, batch.minus, FaultRule::rows(order), locked);

    Value normal[room], shear[room], per_shear[room], rate[room], scratch[room];
    Value at_points[3 * room], acting[3 * room], imposed[3 * room];
    for (int i = 0; i < 3 * points; ++i) imposed[i] = Value{};
    Slipping<Value> s{
        points,          0.0,           0.0,         1.0 / f.eta_s, f.eta_s, normal,         shear,
        batch.parameter, step.of_fault, batch.state, rate,          scratch, step.smoothing, step.scheme};
    Value imposed_rate[imposes_slip<Law> ? 2 * room : 1];
    s.along = imposed_rate;
    s.series = step.series;
    s.given = batch.place != nullptr ? step.given : nullptr;
    s.place = batch.place;
    double start = 0.0;
    for (int i = 0; i < order; ++i) {
        const double t = rule.time[i] * step.length;
        Value now[3 * basis];
        for (int m = 0; m < 3 * basis; ++m) now[m] = locked[m];
        double factor = 1.0;
        const Value* from = locked + 3 * basis;
        for (int k = 1; k < order; ++k) {
            factor *= t / k;
            const int values = 3 * face_basis_size(order - k);
            for (int m = 0; m < values; ++m) now[m] += factor * from[m];
            from += values;
        }
        s.time = step.time + start;
        // What is imposed has the mean over a time's share of the step, so that all of it is felt.
        s.length = (imposes_slip<Law> ? rule.weight : rule.substep)[i] * step.length;
        start += s.length;
        const double end = step.time + start;
        for (int p = 0; p < points; ++p) {
            Value sum[3] = {}, pressing{};
            for (int m = 0; m < basis; ++m) {
                for (int c = 0; c < 3; ++c) sum[c] += rule.at[p * basis + m] * now[3 * m + c];
                if (m + 1 == pressing_functions) pressing = sum[0];
            }
            for (int c = 0; c < 3; ++c) {
                at_points[3 * p + c] = sum[c];
                acting[3 * p + c] = batch.initial[c * points + p] + sum[c];
            }
            Value felt = Value{} + 1.0;
            if (batch.nucleation != nullptr)
                nucleate(step.nucleation, batch.nucleation, end, points, p, acting + 3 * p, felt);
            normal[p] = acting[3 * p];
            if (rule.pressing < basis) normal[p] += pressing - sum[0];
            if (batch.nucleation != nullptr) normal[p] *= felt;
            if (batch.heat != nullptr) normal[p] += batch.state[pore_pressure * points + p];
            shear[p] =
                root(Value(acting[3 * p + 1] * acting[3 * p + 1] + acting[3 * p + 2] * acting[3 * p + 2]));
            per_shear[p] = 1.0 / (shear[p] > Value{} ? shear[p] : Value{} + 1.0);
        }
        Law::slip(s);
        if constexpr (!imposes_slip<Law>) {
            for (int p = 0; p < points && batch.heat != nullptr; ++p) {
                const Value borne = greater(Value(shear[p] - s.eta * rate[p]), Value{});
                heat(*step.thermal, batch.thermal + p, points, s.length, Value(borne * rate[p]),
                     batch.heat + p, s.state[warming * points + p], s.state[pore_pressure * points + p]);
            }
        }
        const double weight = rule.weight[i] * step.length;
        Value slipping[2 * basis] = {};
        for (int p = 0; p < points; ++p) {
            Value traction[3], along[2];
            move<Law>(s, p, per_shear[p], at_points + 3 * p, acting + 3 * p, along, traction);
            for (int c = 0; c < 3; ++c) imposed[3 * p + c] += weight * traction[c];
            for (int m = 0; m < basis; ++m) {
                for (int c = 0; c < 2; ++c) slipping[2 * m + c] += rule.onto[m * points + p] * along[c];
            }
        }
        for (int p = 0; p < points; ++p) {
            Value along[2] = {};
            for (int m = 0; m < basis; ++m) {
                for (int c = 0; c < 2; ++c) along[c] += rule.at[p * basis + m] * slipping[2 * m + c];
            }
            account<Law>(s, p, per_shear[p], at_points + 3 * p, acting + 3 * p, along);
        }
    }
    for (int m = 0; m < basis; ++m) {
        Value sum[3] = {};
        for (int p = 0; p < points; ++p) {
            for (int c = 0; c < 3; ++c) sum[c] += rule.onto[m * points + p] * imposed[3 * p + c];
        }
        for (int i = 0; i < 3; ++i)
            batch.traction[3 * m + i] = sum[0] * f.normal[i] + sum[1] * f.strike[i] + sum[2] * f.dip[i];
    }
}

/// Sets the law's state at the start: all else is zero, and no point has ruptured.
template <class Law, class Value>
inline void start_fault(const FaultRule& rule, const FaultStep& step, const FaultBatch<Value>& batch) {
    const int points = rule.points();
    Value normal[most_points], shear[most_points], rate[most_points], scratch[most_points];
    for (int p = 0; p < points; ++p) {
        batch.state[rupture_time * points + p] = Value{} + never_ruptured;
        batch.state[weakening_time * points + p] = Value{} + never_ruptured;
        normal[p] = batch.initial[p];
        const Value along = batch.initial[points + p], down = batch.initial[2 * points + p];
        shear[p] = root(Value(along * along + down * down));
    }
    for (int p = 0; p < points; ++p) rate[p] = Value{};
    Law::start(Slipping<Value>{points, 0.0, 0.0, 1.0 / batch.face->eta_s, batch.face->eta_s, normal, shear,
                               batch.parameter, step.of_fault, batch.state, rate, scratch, step.smoothing});
    for (int p = 0; p < points; ++p) {
        const Value safe = shear[p] > Value{} ? shear[p] : Value{} + 1.0;
        batch.state[rate_strike * points + p] = rate[p] * batch.initial[points + p] / safe;
        batch.state[rate_dip * points + p] = rate[p] * batch.initial[2 * points + p] / safe;
    }
}

}  // namespace groundswell::quake
