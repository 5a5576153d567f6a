#include "groundswell/quake/streams/sections.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "groundswell/quake/fault/fields.hpp"
#include "groundswell/quake/fields.hpp"
#include "groundswell/quake/streams/peaks.hpp"

namespace groundswell::quake {

namespace {

using simulation::Section;

// Oscillators are driven by straight lines between samples of velocity. With so many in a period the largest answer is at most
// 1.2 % too small: (π/20)² / 2, the height of a cosine's top above its nearest sample.
constexpr double samples_a_period = 20.0;

StreamSection read_stream(const Section& entry, simulation::StreamNames& names) {
    return {names.read(entry), simulation::StreamNames::read_every(entry)};
}

void read_responses(const Section& entry, SurfaceSection& surface) {
    const auto periods =
        entry.numbers("response_periods", 0,
                      {"periods of oscillators on the ground, of at least 20 peak_interval each: for 0.3 a "
                       "field sa_0.3s, the largest "
                       "pseudo-acceleration since the start, of the horizontal vector (RotD100)",
                       "s", "Boore 2010, doi:10.1785/0120090400"});
    surface.damping = entry.number("response_damping", 0.05, {0.0, 0.99},
                                   {"their damping, as a share of the critical", "1"});
    if (entry.describing()) return;
    const double least = samples_a_period * surface.peak_interval.seconds();
    for (const double period : periods) {
        if (!(period >= least * (1.0 - 1e-9)))
            entry.refuse("response_periods",
                         fmt::format("periods from {:.6g} s, 20 times peak_interval", least));
        if (!(period <= 1000.0)) entry.refuse("response_periods", "periods up to 1000 s");
        const std::string name = fmt::format("sa_{:g}s", period);
        if (std::ranges::find(surface.responses, name, &Response::name) != surface.responses.end())
            entry.refuse("response_periods", "each period once");
        surface.responses.push_back({period, name});
        surface.fields.push_back(name);
    }
}

}  // namespace

ReceiversSection read_receivers(const Section& entry, simulation::StreamNames& names,
                                const std::optional<tetra::Projection>& projection) {
    ReceiversSection receivers{read_stream(entry, names)};
    receivers.places = read_named_places(entry, "places of the receivers", projection);
    receivers.to_surface = entry.boolean("to_surface", false,
                                         {"true: each is moved up or down to the free surface, or as far "
                                          "below it as stations says; of several surfaces "
                                          "above each other to the nearest"});
    receivers.fields =
        entry.words("fields", {"vx", "vy", "vz"}, all_field_names(FieldsOf::places), {"what is written"});
    return receivers;
}

SurfaceSection read_surface(const Section& entry, simulation::StreamNames& names) {
    SurfaceSection surface{read_stream(entry, names)};
    std::vector<std::string> known = all_field_names(FieldsOf::surfaces);
    for (std::string& peak : all_peak_names()) known.push_back(std::move(peak));
    surface.fields = entry.words("fields", {"vx", "vy", "vz"}, known,
                                 {"what is written, at the centre of each triangle of the free surface; pgv, "
                                  "pga and pgd: the largest horizontal velocity, acceleration and "
                                  "displacement since the start, pgv_z, pga_z and pgd_z the vertical ones"});
    if (entry.boolean("peaks", false, {"true: pgv, pga and pgd besides fields"})) {
        for (const char* peak : {"pgv", "pga", "pgd"})
            if (std::ranges::find(surface.fields, peak) == surface.fields.end())
                surface.fields.emplace_back(peak);
    }
    surface.refine = entry.integer("refine", 0, {0, 6},
                                   {"how many times each face of the surface is cut in four triangles, of "
                                    "which each has a value of its own"});
    surface.peak_interval = entry
                                .duration_or("peak_interval", "", base::milliseconds(10),
                                             {"time between the samples of which peaks are the largest, "
                                              "counted from the start, whatever the steps"})
                                .value_or(base::milliseconds(10));
    read_responses(entry, surface);
    return surface;
}

VolumeSection read_volume(const Section& entry, simulation::StreamNames& names) {
    VolumeSection volume{read_stream(entry, names)};
    volume.fields = entry.words("fields", {"vx", "vy", "vz"}, all_field_names(FieldsOf::cells),
                                {"what is written, at the centre of each tetrahedron"});
    volume.box = read_place_box(entry.section("box"), "cells with their centre there are written")
                     .value_or(PlaceBox{});
    volume.refine = entry.integer("refine", 0, {0, 4},
                                  {"how many times each cell is cut in eight tetrahedra, of which each has a "
                                   "value of its own"});
    return volume;
}

FaultMapSection read_fault_map(const Section& entry, simulation::StreamNames& names) {
    FaultMapSection map{read_stream(entry, names)};
    map.fields = entry.words("fields", {"slip_rate", "slip", "rupture_time"}, all_fault_field_names(),
                             {"what is written of faults, at the centre of each triangle"});
    map.refine = entry.integer("refine", 0, {0, 6},
                               {"how many times each face of a fault is cut in four triangles, of which each "
                                "has a value of its own"});
    return map;
}

FaultReceiversSection read_fault_receivers(const Section& entry, simulation::StreamNames& names,
                                           const std::optional<tetra::Projection>& projection) {
    FaultReceiversSection receivers{read_stream(entry, names)};
    receivers.places = read_named_places(entry, "places on faults", projection);
    receivers.fields = entry.words(
        "fields", {"slip_rate_strike", "slip_rate_dip", "traction_strike", "traction_dip", "normal_stress"},
        all_fault_field_names(), {"what is written"});
    return receivers;
}

std::optional<RuptureSeriesSection> read_rupture_series(const Section& section,
                                                        simulation::StreamNames& names) {
    if (!section.has("file") && !section.has("every") && !section.describing()) return std::nullopt;
    return RuptureSeriesSection{
        read_stream(section, names),
        section.boolean("moment_of_jump", false,
                        {"true: besides, the moment by the jump of velocity across the fault in any "
                         "direction, which is what SeisSol calls seismic moment"})};
}

std::optional<EnergySection> read_energies(const Section& section, simulation::StreamNames& names) {
    if (!section.has("file") && !section.has("every") && !section.describing()) return std::nullopt;
    return read_stream(section, names);
}

}  // namespace groundswell::quake
