#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>

#include "groundswell/quake/fault/laws/law.hpp"

namespace groundswell::quake {

/// ln of sinh x for x > 0, without overflow.
template <std::same_as<double> T>
constexpr T log_sinh(T x) {
    return x > 1.0 ? x + std::log1p(-std::exp(-2.0 * x)) - std::log(2.0) : std::log(std::sinh(x));
}

/// asinh(eˣ), without overflow, and its derivative.
struct AsinhOfExp {
    double value, slope;
    template <std::same_as<double> T>
    constexpr explicit AsinhOfExp(T x) {
        if (x > 0.0) {
            const double below = std::exp(-2.0 * x), size = std::sqrt(1.0 + below);
            value = x + std::log1p(size);
            slope = 1.0 / size;
        } else {
            const double e = std::exp(x);
            value = std::asinh(e);
            slope = e / std::sqrt(1.0 + e * e);
        }
    }
};

/// Parameters that laws of this family ask for. A fault that slips: the community's problem TPV101, at 1 mm/s.
struct RateAndStateNumbers {
    static constexpr LawParameter direct{
        "a", "how friction answers a change of slip rate at once", "1", {}, 1e-9, 1.0, 0.008};
    static constexpr LawParameter evolution{"b", "how it answers in the end", "1", {}, 1e-9, 1.0, 0.012};
    static constexpr LawParameter distance{
        "state_distance", "slip over which the state evolves, L", "m", {}, 1e-30, 1e30, 0.02};
    static constexpr LawParameter initial_rate{
        "initial_slip_rate", "slip rate at the start", "m s-1", {}, 1e-30, 1.0, 1e-3};
    static constexpr LawParameter reference_rate{
        "reference_slip_rate", "V0", "m s-1", 1e-6, 1e-30, 1.0, 1e-6};
    static constexpr LawParameter reference_friction{
        "reference_friction", "friction at V0 in steady slip, f0", "1", 0.6, 0.0, 10.0, 0.6};
};

/// Friction that depends on the slip rate V and on a state ψ, as f = a asinh(eʸ V / 2V₀) with y from the state (N. Lapusta, J. R. Rice, Y. Ben-Zion and G. Zheng 2000, doi:10.1029/2000JB900250; Y. Kaneko, N. Lapusta and
/// J.-P. Ampuero 2008, doi:10.1029/2007JB005553, section 2.3).
///
/// A sub-step finds the slip rate whose friction takes what the impedance leaves of the shear, with the state that this slip
/// rate makes at its end. It is sought by its logarithm from that of the sub-step before, by secants, between two bounds that
/// close in on it, so that no start runs away. `Evolution` says how the state goes on.
template <class Evolution>
struct RateAndState : Evolution {
    using Evolution::direct, Evolution::reference_rate;
    static constexpr bool sticks = false;
    static constexpr std::string_view weakens_where = "a below b";
    enum { state_variable = fault_states, last_rate, end_of_states };
    static constexpr int most_steps = 200;
    /// Largest change in the last iteration; the error left is far smaller, as each error is the product of the two before it.
    static constexpr double tolerance = 1e-9;
    /// Below what any fault creeps at, m s⁻¹: ln of the slowest rate.
    static constexpr double slowest = -200.0;

    /// The logarithm of the slip rate, from a guess. exponent(rate): y, with the state that this rate makes.
    template <class Exponent>
    static constexpr double rate_for(double shear, double pressure, double eta, double a, double guess,
                                     const Exponent& exponent) {
        // Friction takes up no shear traction where nothing presses.
        if (shear <= 0.0) return slowest;
        double low = slowest, high = std::log(shear / eta);
        double x = std::clamp(guess, low, high), x_before = x, left_before = 0.0;
        for (int step = 0; step < most_steps; ++step) {
            const double rate = std::exp(x);
            const AsinhOfExp friction(x + exponent(rate));
            const double left = shear - eta * rate - pressure * a * friction.value;
            (left > 0.0 ? low : high) = x;
            // The slope as if the state stayed, until there is a secant that falls; one from far away may be too steep.
            double slope = eta * rate + pressure * a * friction.slope;
            if (x != x_before) {
                const double secant = (left_before - left) / (x - x_before);
                if (secant > 0.0 && secant < 2.0 * slope) slope = secant;
            }
            const double move = left / slope;
            x_before = x;
            left_before = left;
            if (std::abs(move) < tolerance * std::max(1.0, std::abs(x))) return x + move;
            x = x + move > low && x + move < high ? x + move : 0.5 * (low + high);
        }
        return x;
    }

    template <class Value>
    static Value strength(const PointNumbers<Value>&, const PointNumbers<Value>& state,
                          const Value& pressure) {
        return state[friction] * pressure;
    }
    /// Behind a front friction falls by b and some, or where it weakens strongly by most of what it is.
    static Weakening weakening(const StressedPlace& at) {
        const double a = at.parameter[direct], b = at.parameter[Evolution::evolution];
        const double fall = std::max(b, Evolution::strong_weakening(at));
        return {at.shear, at.shear - fall * at.pressure(), at.parameter[Evolution::distance], a < b};
    }
    static bool forced(const PointNumbers<double>&) { return false; }
    static std::optional<Objection> objection(const StressedPlace& at) {
        if (at.normal > 0.0)
            return Objection{"stress", at.normal,
                             "compression, which is negative: rate-and-state friction is that of faces that "
                             "press on each other",
                             " Pa of normal stress"};
        if (at.shear > 1e-12 * at.pressure() || at.pressure() == 0.0) return std::nullopt;
        return Objection{
            "stress", at.shear,
            "some where {} Pa press: rate-and-state friction begins in the state in which the stress drives "
            "initial_slip_rate, and none does without shear",
            " Pa of shear", at.pressure()};
    }

    template <class Points, class Body>
    static constexpr void for_each_lane(const Points& s, const Body& body) {
        using Value = typename Points::Number;
        s.for_each_point([&](int p) {
            if constexpr (std::is_arithmetic_v<Value>) {
                body(
                    p, [](const Value& value) { return value; }, [](Value& value, double x) { value = x; });
            } else {
                for (unsigned lane = 0; lane < lanes_in<Value>(); ++lane)
                    body(
                        p, [lane](const Value& value) { return value[lane]; },
                        [lane](Value& value, double x) { value[lane] = x; });
            }
        });
    }

    template <class Value>
    static void start(const Slipping<Value>& s) {
        for_each_lane(s, [&](int p, const auto& get, const auto& set) {
            const auto parameter = [&](int which) { return get(s.parameter[which * s.points + p]); };
            const double pressure = std::max(-get(s.normal[p]), 1e-300);
            const double ratio = get(s.shear[p]) / pressure;
            set(s.state[state_variable * s.points + p], Evolution::at_rest(parameter, s.of_fault, ratio));
            set(s.state[friction * s.points + p], ratio);
            set(s.rate[p], Evolution::initial_rate(parameter));
            set(s.state[last_rate * s.points + p], Evolution::initial_rate(parameter));
        });
    }

    template <class Points>
    static constexpr void slip(const Points& s) {
        using Value = typename Points::Number;
        for_each_lane(s, [&](int p, const auto& get, const auto& set) {
            const auto parameter = [&](int which) { return get(s.parameter[which * s.points + p]); };
            const double a = parameter(direct), pressure = std::max(-get(s.normal[p]), 0.0);
            const double before = get(s.state[state_variable * s.points + p]);
            const double twice = std::log(2.0 * s.of_fault[reference_rate]);
            if (s.scheme.evolution == StateEvolution::two_stage) {
                double last = get(s.state[last_rate * s.points + p]), mean = last, y = 0.0;
                for (int stage = 0; stage < 2; ++stage) {
                    const double psi = Evolution::after(parameter, s.of_fault, before, mean, s.length);
                    y = Evolution::exponent(parameter, s.of_fault, psi) - twice;
                    const double found = std::exp(rate_for(get(s.shear[p]), pressure, get(s.impedance(p)), a,
                                                           std::log(last), [&](double) { return y; }));
                    mean = 0.5 * (last + found);
                    last = found;
                }
                const double psi = Evolution::after(parameter, s.of_fault, before, mean, s.length);
                y = Evolution::exponent(parameter, s.of_fault, psi) - twice;
                const double ratio = a * AsinhOfExp(std::log(last) + y).value;
                set(s.rate[p], (get(s.shear[p]) - ratio * pressure) / get(s.impedance(p)));
                set(s.scratch[p], psi);
                set(s.state[friction * s.points + p], ratio);
                set(s.state[last_rate * s.points + p], last);
                return;
            }
            const double along = get(s.state[rate_strike * s.points + p]);
            const double down = get(s.state[rate_dip * s.points + p]);
            const double guess = std::log(std::max(std::hypot(along, down), std::exp(slowest)));
            const double x =
                rate_for(get(s.shear[p]), pressure, get(s.impedance(p)), a, guess, [&](double rate) {
                    const double psi = Evolution::after(parameter, s.of_fault, before, rate, s.length);
                    return Evolution::exponent(parameter, s.of_fault, psi) - twice;
                });
            const double rate = std::exp(x);
            set(s.rate[p], rate);
            set(s.state[last_rate * s.points + p], rate);
            set(s.scratch[p], Evolution::after(parameter, s.of_fault, before, rate, s.length));
            const double borne = get(s.shear[p]) - get(s.impedance(p)) * rate;
            if (pressure > 0.0) set(s.state[friction * s.points + p], borne / pressure);
        });
        if constexpr (Evolution::smooths) {
            s.for_each_point(
                [&](int p) { s.scratch[p] = s.scratch[p] - s.state[state_variable * s.points + p]; });
            smooth(s, s.scratch,
                   [&](int p, const Value& smoothed) { s.state[state_variable * s.points + p] += smoothed; });
        } else {
            s.for_each_point([&](int p) { s.state[state_variable * s.points + p] = s.scratch[p]; });
        }
    }
};

}  // namespace groundswell::quake
