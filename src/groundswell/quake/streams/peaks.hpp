#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/quake/elements/samplers.hpp"
#include "groundswell/quake/streams/sections.hpp"
#include "groundswell/quake/streams/surface_mesh.hpp"
#include "groundswell/simulation/cf.hpp"
#include "groundswell/simulation/state.hpp"

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

/// The largest motions so far, as output files name them: of the horizontal vector, and of the vertical component.
inline constexpr std::array<simulation::FieldNames, 6> peak_names{{
    {"pgv", "", "peak ground velocity since the start, of the horizontal vector", "m s-1"},
    {"pga", "", "peak ground acceleration since the start, of the horizontal vector", "m s-2"},
    {"pgd", "", "peak ground displacement since the start, of the horizontal vector", "m"},
    {"pgv_z", "", "peak vertical velocity since the start", "m s-1"},
    {"pga_z", "", "peak vertical acceleration since the start", "m s-2"},
    {"pgd_z", "", "peak vertical displacement since the start", "m"},
}};

std::vector<std::string> all_peak_names();

/// The largest motions so far at the centres of triangles, of samples at multiples of `peak_interval` since the start,
/// whatever the steps. Velocities and accelerations are those of the time polynomials of the predictor and of their
/// derivatives, displacements the integral of these polynomials from the start; oscillators, at rest on the ground at the start,
/// are driven by the samples of velocity. Bits depend on no ranks and no records.
/// Threads may see different triangles at once.
class Peaks {
public:
    /// Keeps those of the section's fields that are peaks; there may be none. `triangles`: of this rank.
    Peaks(const SurfaceSection& section, std::size_t triangles);

    bool wants(double from, double to) const {
        return has_displacement_ || (!kinds_.empty() && time(next(from)) < to);
    }
    /// Progress of a triangle within a step.
    struct Walk {
        std::size_t triangle;
        const Glimpse& glimpse;
        std::int64_t sample;  ///< the next one
    };
    /// At the beginning of a step.
    Walk enter(std::size_t triangle, const Glimpse& glimpse) const {
        return {triangle, glimpse, next(glimpse.from)};
    }
    /// Takes the samples up to a time, including it.
    void go_to(Walk& walk, double time);
    /// Takes the others of the step. Once a step for each triangle, where wants() is true.
    void leave(Walk& walk);
    /// The column of a field of the section, if it is a peak; and what is said of it in a file.
    std::optional<std::size_t> column(const std::string& field) const;
    output::Variable variable(std::size_t column, std::vector<std::string> dimensions) const;
    float value(std::size_t triangle, std::size_t column) const {
        return peaks_[triangle * kinds_.size() + column];
    }

    /// Adds what a restart needs. `number`: of the surface in the case.
    void add_to(simulation::State& state, int number, const SurfaceMesh& mesh);

private:
    double time(std::int64_t sample) const {
        return base::Duration{sample * interval_.microseconds}.seconds();
    }
    std::int64_t next(double from) const;
    void take(const Walk& walk, double seconds);
    std::size_t driven_values() const { return 2 + 4 * oscillators_.size(); }
    void swing(const Walk& walk, double seconds);
    void keep_largest(std::size_t triangle, std::size_t column, double size);
    void add_oscillators_to(simulation::State& state, const std::string& name, const SurfaceMesh& mesh);

    base::Duration interval_;
    std::string file_;
    double damping_;
    std::vector<std::string> kinds_;    // names: motions, then responses
    std::vector<std::size_t> motions_;  // places in peak_names
    std::vector<Response> responses_;
    std::vector<Oscillator> oscillators_;  // of these
    bool has_displacement_ = false;
    std::vector<float> peaks_;          // [triangle][kind]
    std::vector<double> displacement_;  // [triangle][axis] at the beginning of the step
    std::vector<double>
        driven_;  // [triangle][velocity, then position and rate of each oscillator][x, y] at the last sample
};

}  // namespace groundswell::quake
