#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "groundswell/quake/fault/case/options.hpp"
#include "groundswell/quake/values/by_depth.hpp"
#include "groundswell/quake/values/places.hpp"

namespace groundswell::quake {

namespace {

using simulation::Section;

constexpr double any = 1e30;
constexpr std::array traction_keys{"normal", "strike", "dip"};

void read_taper(const Section& entry, FaultRegion& where) {
    const Section section = entry.section("taper");
    const bool all = entry.describing();
    if (!section.has("shape") && !section.has("width") && !all) return;
    using Taper = FaultRegion::Taper;
    where.taper = section.choice<Taper>(
        "shape", std::nullopt,
        {{"linear", Taper::linear},
         {"cosine", Taper::cosine},
         {"boxcar", Taper::boxcar},
         {"exponential", Taper::exponential}},
        {"how the weight falls from 1 to 0 with the distance d from box or sphere, over a width w: 1 − d/w; "
         "½(1 + cos πd/w); boxcar: along each axis of a box ½(1 + tanh(w/(d − w) + w/d)); exponential: "
         "within a sphere of radius R exp(r²/(r² − R²)) of the distance r from its middle",
         "", "Harris et al. 2009, doi:10.1785/gssrl.80.1.119"});
    if (where.taper != Taper::exponential || all)
        where.width = section.number("width", std::nullopt, {1e-6, 1e9}, {"over which it falls", "m"});
    if (all) return;
    if (where.taper == Taper::exponential && where.shape != FaultRegion::Shape::sphere)
        section.refuse("shape", "linear, cosine or boxcar next to a box; exponential belongs to a sphere");
    if (where.taper == Taper::boxcar && where.shape != FaultRegion::Shape::box)
        section.refuse("shape", "linear, cosine or exponential next to a sphere; boxcar belongs to a box");
    if (where.shape == FaultRegion::Shape::everywhere)
        section.refuse("shape", "a box or a sphere next to the taper");
}

FaultRegion read_region(const Section& entry) {
    FaultRegion where;
    const bool all = entry.describing();
    const Section box = entry.section("box"), sphere = entry.section("sphere");
    const bool has_sphere = sphere.has("centre") || sphere.has("radius");
    const auto ends = read_place_box(box, "where the entry holds");
    if (ends && has_sphere && !all) entry.refuse("sphere", "one of box and sphere");
    if (ends) {
        where.shape = FaultRegion::Shape::box;
        where.lowest = ends->lowest;
        where.highest = ends->highest;
    }
    if (has_sphere || all) {
        where.shape = FaultRegion::Shape::sphere;
        const auto centre = three(sphere, "centre", {"middle of a sphere in which the entry holds", "m"});
        if (!all && !centre) sphere.refuse("centre", "a list of 3 numbers");
        where.centre = centre.value_or(tetra::Point{});
        where.radius = sphere.number("radius", std::nullopt, {0.0, 1e9}, {"its radius", "m"});
    }
    where.outside =
        entry.boolean("outside", false, {"true: the entry holds outside of box or sphere instead"});
    if (where.outside && where.shape == FaultRegion::Shape::everywhere)
        entry.refuse("outside", "a box or a sphere next to it");
    read_taper(entry, where);
    return where;
}

std::vector<int> read_tags(const Section& entry) {
    std::vector<int> tags;
    if (!entry.has("tags") && !entry.describing()) return tags;
    for (const double tag : entry.numbers("tags", 0,
                                          {"faults on which the entry holds, by the numbers that the mesh "
                                           "gives them; if not given, all"})) {
        if (tag != std::floor(tag) || !tetra::is_fault_tag(static_cast<std::int64_t>(tag)))
            entry.refuse("tags", fmt::format("numbers of faults: 3, or 65 to {}", tetra::highest_fault_tag));
        tags.push_back(static_cast<int>(tag));
    }
    return tags;
}

// Keys of other laws are known, so that they are refused for what they are.
void refuse_other_laws(const Section& entry, const LawDescription& law) {
    for (const LawDescription& other : friction_laws()) {
        for (const LawParameter& parameter : other.at_places) {
            const bool mine =
                std::ranges::find(law.at_places, parameter.name, &LawParameter::name) != law.at_places.end();
            if (!mine && !parameter.name.empty() && entry.has(parameter.name))
                entry.refuse(parameter.name, fmt::format("numbers of the law {}: {} belongs to {}", law.name,
                                                         parameter.name, other.name));
        }
    }
}

std::optional<RegionalStress> read_regional(const Section& entry) {
    const Section section = entry.section("regional");
    const auto read = [&](const char* key, std::string_view meaning) {
        return read_value(section, key, {-any, any}, meaning, "Pa", "Zoback 1992, doi:10.1029/91JB02132");
    };
    const auto most = read("most_compressive",
                           "stress of the region, tension positive: the most compressive horizontal one");
    const auto least = read("least_compressive", "the horizontal one at a right angle to it");
    const auto vertical = read("vertical", "the vertical one");
    const bool all = section.describing();
    if (!most && !least && !vertical && !section.has("azimuth") && !all) return std::nullopt;
    RegionalStress regional;
    regional.azimuth = section.number(
        "azimuth", std::nullopt, {-360.0, 360.0},
        {"direction of the most compressive horizontal stress, clockwise from north (y)", "degree"});
    if (all) return std::nullopt;
    if (!most) section.refuse("most_compressive", "a number in Pa, or most_compressive_by_depth");
    if (!least) section.refuse("least_compressive", "a number in Pa, or least_compressive_by_depth");
    if (!vertical) section.refuse("vertical", "a number in Pa, or vertical_by_depth");
    const Section stress = entry.section("stress");
    for (const char* key : stress_keys) {
        if (stress.has(key) || stress.has(std::string(key) + "_by_depth"))
            entry.refuse("regional", "one of regional and stress");
    }
    regional.most = *most;
    regional.least = *least;
    regional.vertical = *vertical;
    // Both go straight between the depths of either.
    for (const ValueByDepth* of : {&regional.most, &regional.least}) {
        for (const auto& [z, value] : of->by_z) {
            if (regional.most.at(z) > regional.least.at(z))
                section.refuse("most_compressive",
                               "no more than least_compressive at any depth: pressure is negative");
        }
    }
    return regional;
}

void read_random(const Section& entry, FaultEntry& set) {
    const Section section = entry.section("random");
    if (!section.has("seed") && !section.has("correlation_length") && !section.has("hurst") &&
        !section.has("shortest_wavelength") && !section.describing())
        return;
    constexpr const char* source = "Mai & Beroza 2002, doi:10.1029/2001JB000588";
    RandomField::Numbers numbers;
    numbers.seed = section.integer(
        "seed", std::nullopt, {0, 2147483647},
        {"what the entry says is times a random field of mean 0 and variance 1 that this number decides, "
         "the same on any mesh: so its numbers are standard deviations; needs add = true. Numbers of the law "
         "stay in their ranges"});
    numbers.correlation_length = section.number("correlation_length", std::nullopt, {1e-3, 1e9},
                                                {"of its autocorrelation, that of von Kármán", "m", source});
    numbers.hurst = section.number("hurst", 0.75, {0.01, 1.0},
                                   {"exponent by which its short waves are weaker", "1", source});
    numbers.shortest =
        section.number("shortest_wavelength", std::nullopt, {1e-3, 1e9},
                       {"it has no waves shorter than this, which a few elements should hold", "m"});
    if (section.describing()) return;
    if (numbers.shortest > numbers.correlation_length)
        section.refuse("shortest_wavelength", "no more than correlation_length");
    if (!set.add) entry.refuse("add", "true next to random: what is random is added to what is said before");
    set.random = std::make_shared<const RandomField>(numbers);
}

}  // namespace

FaultEntry read_fault_entry(const Section& entry, const LawDescription& law) {
    FaultEntry set;
    set.stated_at = entry.place("");
    set.where = read_region(entry);
    set.tags = read_tags(entry);
    set.add = entry.boolean("add", false, {"true: added to what earlier entries say; else in its place"});
    read_random(entry, set);
    refuse_other_laws(entry, law);
    const auto read = [&](const LawDescription& of, std::set<std::string_view>& known) {
        for (std::size_t i = 0; i < of.at_places.size(); ++i) {
            const LawParameter& p = of.at_places[i];
            if (p.name.empty() || !known.insert(p.name).second) continue;
            if (!p.if_less.empty() && entry.has(p.name) && !entry.describing() &&
                entry.number(p.name, std::nullopt, {-any, any}, {p.meaning, p.unit}) < p.least)
                entry.refuse(p.name, fmt::format("{:.4g} or more, in {}: {}", p.least, p.unit, p.if_less));
            const std::string usual = p.usual ? fmt::format("{}", *p.usual) : "";
            auto value = read_value(entry, std::string(p.name), {p.least, p.most}, p.meaning, p.unit,
                                    of.source, usual);
            if (value && !entry.describing()) set.parameter.emplace_back(i, std::move(*value));
        }
    };
    std::set<std::string_view> known;
    read(law, known);
    if (entry.describing()) {
        for (const LawDescription& other : friction_laws()) read(other, known);
    }
    for (std::size_t i = 0; i < thermal_keys.size(); ++i) {
        const LawParameter& key = thermal_keys[i];
        set.thermal[i] = read_value(entry, std::string(key.name), {key.least, key.most}, key.meaning,
                                    key.unit, thermal_source);
    }
    read_components(entry.section("stress"), stress_keys,
                    "initial stress in the mesh's axes, tension positive", set.stress);
    set.regional = read_regional(entry);
    set.reference_shear_modulus =
        entry.number("reference_shear_modulus", 0.0, {0.0, any},
                     {"if not 0: stress, tractions and nucleation of this entry are those in rock of this "
                      "shear modulus, and in other rock in proportion to its own (between two rocks, their "
                      "harmonic mean)",
                      "Pa"});
    if (entry.has("grid") || entry.describing()) {
        const std::string file =
            entry.path("grid", {},
                       {"NetCDF file with numbers of the law by their names, and stress_xx … stress_xz, "
                        "traction_normal, traction_strike, traction_dip, nucleation_stress_xx …, "
                        "nucleation_traction_normal …, on axes x, y and z with their units (m or km); linear "
                        "between points"});
        const bool nearest =
            entry.choice("outside_grid", "refused", {"refused", "nearest"},
                         {"places beyond the edges of the grid are refused, or take the values of "
                          "the nearest edge"}) == "nearest";
        set.grid = std::make_shared<FaultGrid>(file, nearest);
    }
    read_components(entry.section("traction"), traction_keys,
                    "initial traction besides that of the stress: normal (tension positive), along strike, "
                    "along dip (downwards)",
                    set.traction);
    const Section nucleation = entry.section("nucleation");
    read_components(nucleation.section("stress"), stress_keys,
                    "stress that is added smoothly over fault.nucleation_duration", set.nucleation_stress);
    read_components(nucleation.section("traction"), traction_keys, "the same as a traction",
                    set.nucleation_traction);
    set.nucleation_strength = read_value(
        nucleation, "strength", {0.0, 1.0},
        "share of what pressure gives to strength that is taken away, under any law, in the same time", "1");
    set.nucleation.start = nucleation.number(
        "start", 0.0, {0.0, 1e9},
        {"when this begins; entries of one start, duration, speed and from are an episode, of "
         "which there may be 4",
         "s"});
    if (nucleation.has("duration") || entry.describing())
        set.nucleation.duration = nucleation.number("duration", std::nullopt, {1e-9, 1e6},
                                                    {"in place of fault.nucleation_duration", "s"});
    set.nucleation.speed = nucleation.number(
        "speed", 0.0, {0.0, 1e6},
        {"if not 0: it spreads at this speed from the place `from`, or else the sphere's middle", "m s-1"});
    const auto from = three(nucleation, "from", {"where it spreads from", "m"});
    if (!entry.describing() && set.nucleation.speed > 0.0 && !from &&
        set.where.shape != FaultRegion::Shape::sphere)
        nucleation.refuse("speed", "a place `from` next to it, or a sphere in the entry");
    if (set.nucleation.speed > 0.0) set.nucleation.from = from.value_or(set.where.centre);
    return set;
}

}  // namespace groundswell::quake
