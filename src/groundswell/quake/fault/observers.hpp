#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "groundswell/quake/elements/samplers.hpp"
#include "groundswell/quake/fault/fields.hpp"
#include "groundswell/quake/fault/laws/friction.hpp"
#include "groundswell/quake/fault/rule.hpp"

/// Observers of faults, and what they are shown.
namespace groundswell::quake {

/// A moment of a face.
struct FaultMoment : Moment {
    double passed = 0.0;  ///< s, since the start of the step
};

/// Sees faces of faults at times of its own.
struct FaultObserver {
    /// Appends the moments from, and up to but not at, a time.
    std::function<void(double from, double to, std::vector<Moment>& moments)> moments;
    /// Called by any thread, once a moment for each face that this rank tells of. `state`: [kept_states][point] at that time,
    /// between those at the ends of the step.
    std::function<void(std::int32_t face, const FaultMoment& moment, std::span<const double> state)> see;
};

/// Values at the place of a probe: all but slips and times from the time polynomials of both sides and the friction of the nearest
/// point, which gives the slip rate by the balance of stress and strength at the place itself. Slips: of the projection of the
/// points' slips.
struct FaultGlimpse : FaultSample {
    std::array<double, 3> all_traction{}, change{};
    std::array<double, 2> all_rate{}, all_slip{};
    double path = 0.0, bears = 0.0;
    const double* nearest = nullptr;  ///< [kept_states] of the nearest point
    int points = 1;                   ///< from one of these to the next

    double rate(int direction) const override { return all_rate[direction]; }
    double slip(int direction) const override { return all_slip[direction]; }
    double slip_path() const override { return path; }
    double traction(int component) const override { return all_traction[component]; }
    double traction_change(int component) const override { return change[component]; }
    double peak_rate() const override { return kept(quake::peak_rate); }
    double rupture_time() const override { return kept(quake::rupture_time); }
    double weakening_time() const override { return kept(quake::weakening_time); }
    double friction() const override { return kept(quake::friction); }
    double strength() const override { return bears; }
    double warming() const override { return kept(quake::warming); }
    double pore_pressure() const override { return kept(quake::pore_pressure); }
    double state() const override { return kept(fault_states); }

private:
    double kept(int which) const { return nearest[which * points]; }
};

/// Sees a place of a face at times of its own.
struct FaultProbe {
    std::int32_t face = 0;
    Point2 place{};  ///< in the face's triangle
    std::function<void(double from, double to, std::vector<Moment>& moments)> moments;
    /// Called by any thread.
    std::function<void(std::int64_t number, const FaultGlimpse& glimpse)> see;
};

}  // namespace groundswell::quake
