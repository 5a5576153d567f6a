#include "groundswell/quake/source/rupture/options.hpp"

#include <fmt/format.h>

#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/quake/values/places.hpp"

namespace groundswell::quake {

namespace {

using simulation::Section;

using base::degree;
constexpr double longest = 1e8;
constexpr double most_cells = 1e7;

RuptureSection read_rupture(const Section& entry) {
    RuptureSection rupture;
    rupture.file = entry.path(
        "file", std::nullopt,
        {"rupture: a file in the Standard Rupture Format, version 1 or 2, which needs [projection], or point "
         "sources as SeisSol's source type 50 has them (FSRM)"});
    rupture.format =
        entry.choice("format", "auto", {"auto", "srf", "fsrm"},
                     {"format of that file; auto: srf if its name ends so or it begins with a version, else "
                      "fsrm"});
    rupture.delay = entry.number("delay", 0.0, {-1e9, 1e9}, {"added to all times of the file", "s"});
    rupture.depth_from_surface =
        entry.choice(
            "depth_from", "zero", {"zero", "surface"},
            {"what depths of the Standard Rupture Format are counted from: z = 0, or the free surface "
             "above the place"}) == "surface";
    return rupture;
}

void read_extent(const Section& entry, PlaneOptions& plane) {
    const bool all = entry.describing();
    constexpr simulation::Range lengths{1e-6, longest};
    if (all || plane.kind == PlaneOptions::Kind::haskell) {
        plane.length = entry.number("length", std::nullopt, lengths, {"length along strike (haskell)", "m"});
        plane.width = entry.number("width", std::nullopt, lengths, {"width down dip (haskell)", "m"});
    }
    if (all || plane.kind == PlaneOptions::Kind::circular) {
        const double radius = entry.number("radius", std::nullopt, lengths, {"radius (circular)", "m"});
        plane.length = plane.width = 2.0 * radius;
    }
    plane.spacing =
        entry.number("spacing", std::nullopt, lengths,
                     {"longest distance between sub-sources, one in the middle of each cell of a grid", "m"});
    if (all) return;
    const auto [columns, rows] = cells_of(plane);
    if (columns * rows > most_cells)
        entry.refuse("spacing",
                     fmt::format("a distance that makes no more than {:.0f} sub-sources, not {:.3g}",
                                 most_cells, columns * rows));
}

void read_hypocentre(const Section& entry, PlaneOptions& plane) {
    const auto given = entry.numbers(
        "hypocentre", 2,
        {"where the rupture begins: along strike and down dip from the middle of the plane; if not given, "
         "there",
         "m"});
    if (given.empty()) return;
    plane.hypocentre = {given[0], given[1]};
    const bool circle = plane.kind == PlaneOptions::Kind::circular;
    const bool is_inside =
        circle ? std::hypot(given[0], given[1]) <= 0.5 * plane.length
               : std::abs(given[0]) <= 0.5 * plane.length && std::abs(given[1]) <= 0.5 * plane.width;
    if (!is_inside && !entry.describing()) entry.refuse("hypocentre", "a place on the plane");
}

void read_size(const Section& entry, PlaneOptions& plane) {
    const bool all = entry.describing();
    int given = 0;
    for (const char* key : {"slip", "scalar_moment", "stress_drop"}) given += entry.has(key) ? 1 : 0;
    const bool circle = plane.kind == PlaneOptions::Kind::circular;
    if (!all && given != 1)
        entry.refuse("", circle ? "exactly one of the keys slip, scalar_moment and stress_drop"
                                : "exactly one of the keys slip and scalar_moment");
    if (all || entry.has("slip"))
        plane.slip = entry.number(
            "slip", std::nullopt, {0.0, 1e4},
            {"slip, of a circle in its middle; the moment is that times area and the rock's rigidity", "m",
             "", "none"});
    if (all || entry.has("scalar_moment"))
        plane.scalar_moment = entry.number(
            "scalar_moment", std::nullopt, {0.0, 1e26},
            {"moment, shared out in proportion to area and slip, in any rock", "N m", "", "none"});
    if (all || (circle && entry.has("stress_drop"))) {
        const double radius = 0.5 * plane.length;
        plane.scalar_moment =
            16.0 / 7.0 * radius * radius * radius *
            entry.number("stress_drop", std::nullopt, {0.0, 1e12},
                         {"stress drop (circular): the moment is 16/7 of it times the cube of the radius",
                          "Pa", "Eshelby 1957, doi:10.1098/rspa.1957.0133, in rock with λ = μ", "none"});
    }
}

PlaneOptions read_plane(const Section& entry, const std::optional<tetra::Projection>& projection) {
    PlaneOptions plane;
    plane.kind = entry.choice<PlaneOptions::Kind>(
        "kind", std::nullopt,
        {{"haskell", PlaneOptions::Kind::haskell}, {"circular", PlaneOptions::Kind::circular}},
        {"haskell: the same slip all over a rectangle; circular: slip as on a circular crack, √(1 "
         "− r²/R²) of that in its middle",
         "", "Haskell 1964; Eshelby 1957, doi:10.1098/rspa.1957.0133"});
    plane.place =
        read_place(entry, "place", "where its middle is, or the middle of its top edge", projection);
    plane.is_top = entry.choice("place_is", "centre", {"centre", "top"},
                                {"what of the plane is at that place: its middle, or the middle of its top "
                                 "edge"}) == "top";
    plane.strike = degree * entry.number("strike", std::nullopt, {-360.0, 360.0},
                                         {"direction of its upper edge, clockwise from north (y)", "degree",
                                          "Aki & Richards 2002, box 4.4"});
    plane.dip =
        degree * entry.number("dip", std::nullopt, {0.0, 90.0},
                              {"dip of the plane, which goes down to the right of the strike", "degree"});
    plane.rake = degree * entry.number("rake", std::nullopt, {-360.0, 360.0},
                                       {"direction of slip of the upper side in the plane, measured from the "
                                        "strike, positive upwards",
                                        "degree"});
    read_extent(entry, plane);
    read_hypocentre(entry, plane);
    plane.rupture_speed =
        entry.number("rupture_speed", std::nullopt, {1e-3, 1e6},
                     {"speed of the front that leaves the hypocentre in all directions", "m s-1"});
    using Rise = PlaneOptions::Rise;
    plane.rise = entry.choice<Rise>(
        "rise", "boxcar", {{"boxcar", Rise::boxcar}, {"triangle", Rise::triangle}, {"brune", Rise::brune}},
        {"rate of slip at a place: constant for rise_time, up and down in "
         "straight lines within it, or (t/T²) "
         "exp(−t/T) with T = rise_time"});
    plane.rise_time =
        entry.number("rise_time", std::nullopt, {1e-9, 1e9}, {"duration or time T of that", "s"});
    plane.onset = entry.number("onset", 0.0, {0.0, 1e9}, {"when slip begins at the hypocentre", "s"});
    read_size(entry, plane);
    return plane;
}

}  // namespace

std::vector<RuptureSection> read_ruptures(const Section& section) {
    std::vector<RuptureSection> ruptures;
    for (const Section& entry : section.sections("rupture")) {
        ruptures.push_back(read_rupture(entry));
        ruptures.back().name = fmt::format("source.rupture {}", ruptures.size());
    }
    return ruptures;
}

std::vector<PlaneSection> read_planes(const Section& section,
                                      const std::optional<tetra::Projection>& projection) {
    std::vector<PlaneSection> planes;
    for (const Section& entry : section.sections("plane"))
        planes.push_back({fmt::format("source.plane {}", planes.size() + 1), read_plane(entry, projection)});
    return planes;
}

}  // namespace groundswell::quake
