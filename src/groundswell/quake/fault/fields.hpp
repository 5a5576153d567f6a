#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/quake/elements/samplers.hpp"
#include "groundswell/quake/fault/laws/friction.hpp"
#include "groundswell/quake/fault/rule.hpp"
#include "groundswell/simulation/cf.hpp"

namespace groundswell::quake {

/// State of a fault at a place and time. Directions: 0 strike, which is horizontal, 1 dip, which goes down; see
/// FaultFrame. Each number is worked out when it is asked for.
class FaultSample {
public:
    virtual ~FaultSample() = default;
    virtual double rate(int direction) const = 0;      ///< m s⁻¹, of the − side past the + side
    virtual double slip(int direction) const = 0;      ///< m
    virtual double slip_path() const = 0;              ///< m
    virtual double traction(int component) const = 0;  ///< Pa, all of it: normal, along strike, along dip
    /// Pa, that slip and waves have added; normal, along strike, along dip
    virtual double traction_change(int component) const = 0;
    virtual double normal_velocity() const = 0;  ///< m s⁻¹, of both sides, from the + to the − side
    virtual double peak_rate() const = 0;        ///< m s⁻¹
    virtual double rupture_time() const = 0;     ///< s; never_ruptured before
    virtual double weakening_time() const = 0;   ///< s; never_ruptured before
    virtual double friction() const = 0;
    virtual double strength() const = 0;       ///< Pa
    virtual double warming() const = 0;        ///< K
    virtual double pore_pressure() const = 0;  ///< Pa
    virtual double state() const = 0;          ///< of rate-and-state friction, in the law's unit
    virtual double front_speed() const = 0;    ///< m s⁻¹, of the whole face; 0: not known
};

/// One output field, registered once; files choose by name.
struct FaultField {
    simulation::FieldNames names;  ///< unit "": that of the law's state variable
    double (*value)(const FaultSample& sample);
    bool of_point = false;           ///< in maps that of the nearest point at which friction is computed
    bool of_point_at_place = false;  ///< the same at receivers
    bool of_face = false;            ///< of the whole face
    bool of_heat = false;            ///< where slip heats
    bool of_weakening = false;       ///< under laws whose weakening comes to an end

    bool of_state() const { return names.unit.empty(); }
    /// As files say it where friction follows a law.
    simulation::FieldNames names_under(std::string_view law) const;
};

std::vector<std::string> all_fault_field_names();
/// Defect if there is no such field: names are checked when the case is read.
const FaultField& find_fault_field(std::string_view name);

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
