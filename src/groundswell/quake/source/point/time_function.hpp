#pragma once

#include <limits>
#include <memory>
#include <vector>

/// Growth of the moment or the force of a source with time.
namespace groundswell::quake {

/// A rate in time: of a moment its rate, of a force the force itself. What a step adds is the difference of the integral,
/// so that nothing is lost between steps, however long they are.
class TimeFunction {
public:
    virtual ~TimeFunction() = default;
    /// ∫ of the rate from long ago to `time`, s since the start; 1 in the end, of the functions whose integral ends.
    virtual double integral(double time) const = 0;
    /// The shortest time in which it changes, s; 0: at once.
    virtual double width() const = 0;
    /// ∫ of time · rate over all times.
    virtual double first_moment() const = 0;
    /// Between which times the integral changes at all, to the last bit.
    virtual double begin() const { return -std::numeric_limits<double>::infinity(); }
    virtual double end() const { return std::numeric_limits<double>::infinity(); }
    /// Before it next to nothing comes: a thousandth of the integral's largest.
    virtual double onset() const { return begin(); }
    /// The frequency, Hz, below which 99 % of its energy lies, ∫ |spectrum|² over all frequencies.
    virtual double highest_frequency() const = 0;
    /// The first time after `time` at which the rate has a bend; infinite: none.
    virtual double next_bend(double /*time*/) const { return std::numeric_limits<double>::infinity(); }

    /// ∫ of the rate over all times.
    double whole() const { return integral(1e30); }
};

/// ∫ (end − t)ᵏ / k! times the rate from `begin` to `end`, for k = 0 … `last`: what a source brings to the k-th derivative of
/// what it acts on. `last` + 2 points of Gauss and Legendre between bends, which is exact for straight lines. `last` is at
/// most 8.
std::vector<double> moments_of(const TimeFunction& rate, double begin, double end, int last);

/// exp(−(t − centre)² / 2 width²) / (width √2π).
std::unique_ptr<TimeFunction> gaussian(double centre, double width);

/// The second derivative of a Gaussian, of peak frequency f, turned round: (1 − 2a) exp(−a), a = (π f (t − centre))²
/// (N. Ricker 1953, doi:10.1190/1.1437843).
std::unique_ptr<TimeFunction> ricker(double centre, double frequency);

/// (t / T²) exp(−t / T) from `onset` on (J. N. Brune 1970, doi:10.1029/JB075i026p04997).
std::unique_ptr<TimeFunction> brune(double onset, double time);

/// All at once at `onset`.
std::unique_ptr<TimeFunction> step(double onset);

/// Samples from `onset` on, `interval` apart, straight in between and 0 before and after.
std::unique_ptr<TimeFunction> sampled(double onset, double interval, std::vector<double> rate);

}  // namespace groundswell::quake
