#pragma once

#include <string>
#include <string_view>
#include <vector>

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

}  // namespace groundswell::quake
