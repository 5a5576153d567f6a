#include "groundswell/quake/fault/case/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "groundswell/quake/values/places.hpp"

namespace groundswell::quake {

namespace {

using simulation::Section;

void read_series(const Section& section, FaultOptions& fault) {
    fault.slip_rates = section.paths(
        "slip_rates", {"of imposed-series: files of two columns, time after slip_onset in s and slip rate, "
                       "of any size, as the slip is "
                       "slip_along_strike and slip_along_dip; places choose among them by series"});
    if (section.has("rupture") || section.describing()) {
        fault.rupture = section.path(
            "rupture", {},
            {"in place of slip_rates and of what [[fault.set]] says of slip: a kinematic rupture in the "
             "Standard Rupture Format, of whose parts each place has the slip of the one that it lies "
             "in; needs [projection]"});
        fault.rupture_delay =
            section.number("rupture_delay", 0.0, {-1e9, 1e9}, {"added to all times of that file", "s"});
    }
    if (!section.describing() && fault.slip_rates.empty() == fault.rupture.empty())
        section.refuse("slip_rates", "one of slip_rates and rupture, next to the law imposed-series");
}

// Those that nucleate, or may by a grid.
void number_episodes(const Section& section, FaultOptions& fault) {
    for (FaultEntry& entry : fault.entries) {
        NucleationEpisode its = entry.nucleation;
        if (its.duration == 0.0) its.duration = fault.nucleation_duration;
        if (its.duration == 0.0 || (!entry.nucleates() && !entry.grid)) continue;
        const auto found = std::ranges::find(fault.episodes, its);
        entry.episode = static_cast<std::size_t>(found - fault.episodes.begin());
        if (found == fault.episodes.end()) fault.episodes.push_back(its);
    }
    if (fault.episodes.size() > most_episodes)
        section.refuse("set", fmt::format("nucleation in no more than {} episodes, not {}", most_episodes,
                                          fault.episodes.size()));
}

void read_thermal(const Section& section, const LawDescription& law, FaultOptions& fault) {
    const bool all = section.describing();
    if (!all && !section.has("diffusivity") && !section.has("heat_capacity") &&
        !section.has("pressure_per_kelvin")) {
        for (const FaultEntry& entry : fault.entries) {
            for (std::size_t i = 0; i < thermal_keys.size(); ++i) {
                if (entry.thermal[i])
                    section.refuse("diffusivity",
                                   fmt::format("a section [fault.thermal_pressurisation], as a "
                                               "[[fault.set]] has {}",
                                               thermal_keys[i].name));
            }
        }
        return;
    }
    if (!all && law.slip_until != nullptr)
        section.refuse("diffusivity", "a law of friction next to it: slip that is given minds no pressure");
    const auto number = [&](const char* key, double least, double most, const char* meaning,
                            const char* unit) {
        return section.number(key, std::nullopt, {least, most}, {meaning, unit, thermal_source});
    };
    const ThermalNumbers numbers{
        number("diffusivity", 1e-10, 1.0, "slip heats: diffusivity of heat, of rock and fluid together",
               "m2 s-1"),
        number("heat_capacity", 1.0, 1e9, "of a volume of rock and fluid", "J m-3 K-1"),
        number("pressure_per_kelvin", 0.0, 1e9, "pressure that a kelvin adds to fluid which cannot leave, Λ",
               "Pa K-1")};
    if (!all) fault.thermal = numbers;
}

void read_end(const Section& section, RuptureEnd& end) {
    if (section.has("end_after_quiet") || section.describing())
        end.after =
            section.number("end_after_quiet", std::nullopt, {1e-6, 1e9},
                           {"ends the run before [time] end, once a rupture has begun and then for so "
                            "long neither slip rate nor moment rate has been above the two that follow",
                            "s"});
    end.slip_rate = section.number("quiet_slip_rate", 1e-3, {1e-30, 1e3},
                                   {"slip rate at any point below which the fault is quiet", "m s-1"});
    end.moment_rate =
        section.number("quiet_moment_rate", 1e-3, {0.0, 1.0},
                       {"moment rate of the whole fault below which it is quiet, as a share of the "
                        "largest until then",
                        "1"});
    for (const char* key : {"quiet_slip_rate", "quiet_moment_rate"}) {
        if (end.after == 0.0 && section.has(key)) section.refuse(key, "end_after_quiet next to it");
    }
}

void read_plus_side(const Section& section, FaultOptions& fault) {
    const bool all = section.describing();
    const auto point =
        three(section, "plus_side",
              {"a place: the + side of a fault is the one on which it lies; the normal points from "
               "the + to the − side, and slip is how the − side moves past the + side",
               "m"});
    const auto direction =
        three(section, "normal",
              {"instead of plus_side: a direction that the normal goes along rather than against"});
    if (all) return;
    if (point.has_value() == direction.has_value())
        section.refuse("plus_side", "one of plus_side and normal, a list of 3 numbers");
    fault.plus_side = {point ? *point : *direction, direction.has_value(),
                       section.place(point ? "plus_side" : "normal")};
    if (direction && *direction == tetra::Point{})
        section.refuse("normal", "a direction: not all of its numbers are 0");
}

}  // namespace

std::optional<FaultOptions> read_fault(const Section& section) {
    const bool all = section.describing();
    if (!all && !section.has("law") && !section.has("set") && !section.has("plus_side") &&
        !section.has("normal"))
        return std::nullopt;
    FaultOptions fault;
    fault.stated_at = section.place("");
    std::vector<std::string> names;
    std::string meaning = "how friction depends on slip, slip rate and time: ";
    for (const LawDescription& law : friction_laws()) {
        names.emplace_back(law.name);
        meaning += fmt::format("{}{} ({})", names.size() > 1 ? "; " : "", law.meaning, law.source);
    }
    fault.law = section.choice("law", std::nullopt, names, {meaning});
    const LawDescription& law = all ? friction_laws().front() : *find_law(fault.law);
    read_plus_side(section, fault);
    fault.unusual = section.boolean(
        "unusual", false,
        {"true: stress that no fault bears is meant; else what is out by a thousand is refused"});
    fault.points = section.choice<FacePoints>(
        "points", "symmetric", {{"symmetric", FacePoints::symmetric}, {"conical", FacePoints::conical}},
        {"where on each face friction is computed: by a rule that is the same whichever corner comes "
         "first (Dunavant 1985, doi:10.1002/nme.1620210612), or by the product rule of (order + 1)² "
         "points that others have"});
    fault.pressure = section.choice<FacePressure>(
        "pressure", "smooth", {{"smooth", FacePressure::smooth}, {"full", FacePressure::full}},
        {"which normal stress strength feels: without its highest degrees on a face, in which "
         "unstructured meshes press unevenly, or all of it"});
    fault.scheme.evolution = section.choice<StateEvolution>(
        "state_evolution", "implicit",
        {{"implicit", StateEvolution::implicit}, {"two-stage", StateEvolution::two_stage}},
        {"how rate-and-state friction goes on: slip rate and state at once, or by a prediction "
         "and one correction (Lapusta et al. 2000, doi:10.1029/2000JB900250)"});
    fault.scheme.negative_slip = section.choice<NegativeSlip>(
        "negative_slip", "dropped", {{"dropped", NegativeSlip::dropped}, {"weakens", NegativeSlip::weakens}},
        {"of friction that falls with slip: what becomes of slip that its projection onto the "
         "polynomials of a face has made negative, ahead of a front: it is dropped, or it "
         "weakens by its size"});
    std::set<std::string_view> known;
    const auto read = [&](const LawDescription& of) {
        for (const LawParameter& p : of.of_fault) {
            if (!known.insert(p.name).second) continue;
            const double value =
                section.number(p.name, p.usual, {p.least, p.most}, {p.meaning, p.unit, of.source});
            if (!all) fault.of_fault.push_back(value);
        }
    };
    read(law);
    for (const LawDescription& other : friction_laws()) {
        if (all) read(other);
        for (const LawParameter& p : other.of_fault) {
            if (!all && !known.contains(p.name) && section.has(p.name))
                section.refuse(p.name, fmt::format("numbers of the law {}: {} belongs to {}", law.name,
                                                   p.name, other.name));
        }
    }
    if (law.chooses_series || all) read_series(section, fault);
    for (const Section& entry : section.sections("set"))
        fault.entries.push_back(read_fault_entry(entry, law));
    if (!all && fault.entries.empty() && fault.rupture.empty())
        section.refuse("set", "tables [[fault.set]], which say what acts on the fault");
    const bool nucleates = std::ranges::any_of(fault.entries, &FaultEntry::nucleates);
    const bool unsaid = std::ranges::any_of(fault.entries, [](const FaultEntry& entry) {
        return entry.nucleates() && entry.nucleation.duration == 0.0;
    });
    if (section.has("nucleation_duration") || unsaid || all)
        fault.nucleation_duration =
            section.number("nucleation_duration", std::nullopt, {1e-9, 1e6},
                           {"over which the nucleation's stress grows, as exp((t − T)²/(t(t − 2T)))", "s",
                            "Harris et al. 2009, doi:10.1785/gssrl.80.1.119"});
    const bool has_grid =
        std::ranges::any_of(fault.entries, [](const FaultEntry& entry) { return entry.grid != nullptr; });
    if (!all && !nucleates && !has_grid && fault.nucleation_duration > 0.0)
        section.refuse("nucleation_duration", "a [[fault.set]] with nucleation next to it");
    if (!all) number_episodes(section, fault);
    read_end(section, fault.end);
    read_thermal(section.section("thermal_pressurisation"), law, fault);
    return fault;
}

}  // namespace groundswell::quake
