#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "groundswell/quake/fault/laws/friction.hpp"

/// Friction laws as all but the kernels know them: names, numbers, and what a law foresees at a place. Each law says this
/// itself, in its file in laws/; laws.hpp lists them.
namespace groundswell::quake {

/// A number of a friction law, given at each place of a fault or once for all of it.
struct LawParameter {
    std::string_view name;        ///< key of the case file; "": the program's own
    std::string_view meaning;     ///< one line
    std::string_view unit;        ///< "1" if it has none
    std::optional<double> usual;  ///< where nobody says it; none: must be said
    double least, most;           ///< allowed
    double sample;                ///< of a fault that slips, which `groundswell proxy` times
    /// Explanation of a number below the least, where something is known of it.
    std::string_view if_less = "";
};

/// Numbers that a family of laws asks for, and behind them those of one of the family.
template <std::size_t of_family, std::size_t own>
constexpr std::array<LawParameter, of_family + own> with_own(const std::array<LawParameter, of_family>& first,
                                                             const std::array<LawParameter, own>& rest) {
    std::array<LawParameter, of_family + own> all{};
    std::copy(first.begin(), first.end(), all.begin());
    std::copy(rest.begin(), rest.end(), all.begin() + of_family);
    return all;
}

/// Whether slip is given under a law, whatever the stress.
template <class Law>
inline constexpr bool imposes_slip = requires {
    Law::imposes;
};
/// Whether places choose among slip rates that a case names.
template <class Law>
inline constexpr bool chooses_series = requires {
    Law::chooses;
};

/// Whether a function may give the friction of a law: what slips is then found as before, and there is room for a number of its own.
template <class Law>
inline constexpr bool takes_function = requires {
    Law::given_state;
}
&&int{Law::end_of_states} < kept_states;

/// Source of how slip heats.
inline constexpr std::string_view thermal_source = "Noda & Lapusta 2010, doi:10.1029/2010JB007780";
/// Numbers of a place where it does, in the order of ThermalParameter.
inline constexpr std::array thermal_keys{
    LawParameter{"shear_zone_half_width",
                 "of the zone across which slip is spread, as a Gaussian of this standard deviation",
                 "m",
                 {},
                 1e-6,
                 10.0,
                 0.02},
    LawParameter{
        "hydraulic_diffusivity", "with which fluid leaves that zone", "m2 s-1", {}, 1e-10, 1e3, 4e-4}};

/// A place of a fault as a law judges it.
struct StressedPlace {
    PointNumbers<double> parameter;  ///< LawDescription::at_places
    double normal, shear;            ///< Pa; tension positive, and the magnitude

    double pressure() const { return normal < 0.0 ? -normal : 0.0; }
};

/// Effect of slip at a place.
struct Weakening {
    double before, after;  ///< strength, Pa: where it slips first, and behind the front of a rupture
    double distance;       ///< m, the slip over which it falls
    bool goes_on = true;   ///< slip there keeps a rupture going
};

/// Reason why a place is refused: `key` of [[fault.set]] comes to `found` there.
struct Objection {
    std::string_view key;
    double found;
    std::string_view expected;
    std::string_view unit = "";  ///< what is said after `found`, where that is no plain number
    double limit = 0.0;          ///< stands in `expected` for {}, with six digits at most
};

/// One law: its name, the source of its formulas, what it asks for at each place and for the whole fault.
struct LawDescription {
    std::string_view name;
    std::string_view meaning;
    std::string_view source;
    std::span<const LawParameter> at_places;  ///< in the order that the law's kernel reads them
    std::span<const LawParameter> of_fault;   ///< one number for the whole fault, in [fault]
    /// Cost of a face, in updates of an element: about what `groundswell proxy --model quake` finds at order 4. Ranks share
    /// out the work by it.
    double cost;
    std::string_view state_unit;  ///< of its state variable; "": it has none
    /// Whether nothing slips until stress exceeds a strength, as where friction falls with slip; else all creeps at any stress.
    bool sticks;
    /// In words, for a fault that weakens nowhere.
    std::string_view weakens_where;
    /// Shear that a point bears without more slip, Pa. `state`: [kept_states]
    double (*strength)(PointNumbers<double> parameter, PointNumbers<double> state, double pressure);
    Weakening (*weakening)(const StressedPlace& at);
    /// Whether a rupture begins there at some time whatever the stress.
    bool (*forced)(const PointNumbers<double>& parameter);
    std::optional<Objection> (*objection)(const StressedPlace& at);
    /// Slip along strike and dip until a time, m, of laws that impose it; else null.
    std::array<double, 2> (*slip_until)(const PointNumbers<double>& parameter, double time,
                                        const SlipSeries* series);
    bool chooses_series;
    bool takes_function;
    /// Above 0 until friction has weakened all the way, or as far as the law goes; null where it has no such end.
    double (*left_to_weaken)(const PointNumbers<double>& parameter, const PointNumbers<double>& state,
                             const double* of_fault);
};

/// All that can be chosen.
std::span<const LawDescription> friction_laws();
/// The law of this name; none if there is no such law.
const LawDescription* find_law(std::string_view name);

}  // namespace groundswell::quake
