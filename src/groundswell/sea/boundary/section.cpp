#include "groundswell/sea/boundary/section.hpp"

#include <optional>

#include "groundswell/simulation/case_file.hpp"

namespace groundswell::sea {

namespace {

using simulation::Section;

BoundarySection::Kind find_kind(const Section& section) {
    const bool series = section.has("series"), spectra = section.has("spectra"), sea = section.has("hs");
    if (!section.describing() && series + spectra + sea != 1)
        section.refuse(spectra && (sea || series) ? "spectra"
                       : series && sea            ? "series"
                                                  : "hs",
                       "one of hs, series and spectra: a sea of these numbers, a file of such numbers in "
                       "time, or a file of spectra");
    return spectra  ? BoundarySection::Kind::spectra
           : series ? BoundarySection::Kind::series
                    : BoundarySection::Kind::sea;
}

void read_sea(const Section& section, BoundarySection& boundary) {
    const bool of_case = boundary.kind == BoundarySection::Kind::sea;
    if (of_case || section.describing())
        boundary.sea = read_parametric_sea(section, true);
    else
        read_spreading(section, boundary.sea);
    const std::string shape =
        section.choice("shape", "jonswap", {"jonswap", "pierson-moskowitz"},
                       {"its shape over frequency; pierson-moskowitz is jonswap with gamma = 1", "",
                        "Pierson & Moskowitz 1964; Hasselmann et al. 1973"});
    if (shape == "jonswap") return;
    if (section.has("gamma") && !section.describing())
        section.refuse("gamma", "no gamma with shape = \"pierson-moskowitz\"");
    boundary.sea.peak_enhancement = 1.0;
}

void read_spectra(const Section& section, BoundarySection& boundary) {
    boundary.reach =
        1000.0 * section.number("reach", 100.0, {0.001, 20000.0},
                                {"how far a face may be from the nearest station of the file", "km"});
    const auto longest = section.duration_or("longest_step", "auto", std::nullopt,
                                             {"longest step between two records that is no gap; auto: none "
                                              "that is much longer than those around it"});
    if (longest) boundary.longest_step = longest->seconds();
    using Convention = BoundarySection::Convention;
    boundary.convention = section.choice<Convention>(
        "convention", "file",
        {{"file", Convention::of_file}, {"from", Convention::from}, {"to", Convention::to}},
        {"the directions of the file are where waves come from, or go to, clockwise from north; needed where "
         "the file does not say it"});
    using Density = BoundarySection::Density;
    boundary.density = section.choice<Density>(
        "density", "file",
        {{"file", Density::of_file},
         {"per-radian", Density::per_radian},
         {"per-degree", Density::per_degree}},
        {"the file's spectra are m² per Hz and this; needed where its units do not say it"});
}

}  // namespace

ParametricSea read_parametric_sea(const simulation::Section& section, bool required) {
    ParametricSea sea;
    const auto need = [&](double value) {
        return required ? std::optional<double>() : std::optional<double>(value);
    };
    sea.significant_height =
        section.number("hs", need(1.0), {0.0, 30.0}, {"significant height of the given sea", "m"});
    sea.peak_period = section.number("tp", need(12.0), {0.5, 40.0}, {"its peak period", "s"});
    sea.bearing = section.number("direction", need(270.0), {-360.0, 360.0},
                                 {"its bearing, coming from, clockwise from north", "degree"});
    read_spreading(section, sea);
    return sea;
}

void read_spreading(const simulation::Section& section, ParametricSea& sea) {
    sea.spread = section.number("spread", 30.0, {1.0, 80.0}, {"its one-sided directional spread", "degree"});
    sea.peak_enhancement =
        section.number("gamma", 3.3, {1.0, 20.0}, {"its peak enhancement", "1", "Hasselmann et al. 1973"});
}

std::vector<BoundarySection> read_boundaries(const Section& root) {
    std::vector<BoundarySection> all;
    for (const Section& section : root.sections("boundary")) {
        BoundarySection boundary;
        boundary.kind = find_kind(section);
        boundary.region = section.numbers(
            "region", 4, {"[west, east, south, north] of the open faces; not given: all of them", "degree"});
        if (!boundary.region.empty() && !section.describing() &&
            (boundary.region[0] > boundary.region[1] || boundary.region[2] > boundary.region[3]))
            section.refuse("region", "[west, east, south, north] in degrees, west ≤ east and south ≤ north");
        const bool spectra = boundary.kind == BoundarySection::Kind::spectra;
        if (!spectra || section.describing()) read_sea(section, boundary);
        if (boundary.kind == BoundarySection::Kind::series || section.describing())
            boundary.file = section.path(
                "series", {},
                {"file of hs, tp and dir in time, and of spread and gamma if they change: CSV or "
                 "NetCDF",
                 "", "", "none"});
        if (spectra || section.describing()) {
            boundary.file = section.path(
                "spectra", {},
                {"file of spectra at stations in time: of a Groundswell run, WAVEWATCH III, or what "
                 "`groundswell import spectra` writes",
                 "", "", "none"});
            read_spectra(section, boundary);
        }
        all.push_back(boundary);
    }
    return all;
}

}  // namespace groundswell::sea
