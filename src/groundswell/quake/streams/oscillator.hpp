#pragma once

namespace groundswell::quake {

/// A damped oscillator on moving ground, u'' + 2 ζ ω u' + ω² u = −a, with u relative to the ground along one axis and a constant
/// from sample to sample: the step is then exact (Nigam & Jennings 1969, Bull. Seism. Soc. Am. 59, 909–922, with straight
/// lines of velocity in place of acceleration, so that a jump of velocity does no harm).
class Oscillator {
public:
    /// Position relative to the ground, m, and its rate, m s⁻¹.
    struct State {
        double position = 0.0, rate = 0.0;
    };

    /// `period` and `interval` between samples: s, above 0. `damping`: ζ, below 1.
    Oscillator(double period, double damping, double interval);

    /// One interval on, in which the ground's velocity grows by `change`, m s⁻¹.
    State after(const State& now, double change) const {
        const double shift = change * push_;
        const double from = now.position + shift;
        return {pp_ * from + pr_ * now.rate - shift, rp_ * from + rr_ * now.rate};
    }
    /// ω² times a distance from the ground, m: pseudo-acceleration, m s⁻².
    double pseudo_acceleration(double distance) const { return square_ * distance; }

private:
    double square_, push_;      // ω², s⁻²; 1 / (ω² interval), s
    double pp_, pr_, rp_, rr_;  // of a free oscillator over an interval
};

}  // namespace groundswell::quake
