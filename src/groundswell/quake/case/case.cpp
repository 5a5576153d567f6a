#include "groundswell/quake/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "groundswell/quake/case/fault.hpp"
#include "groundswell/quake/case/fault_outputs.hpp"
#include "groundswell/quake/case/places.hpp"
#include "groundswell/quake/case/plasticity.hpp"
#include "groundswell/quake/case/ruptures.hpp"
#include "groundswell/quake/case/sources.hpp"
#include "groundswell/quake/case/three.hpp"
#include "groundswell/quake/case/wavefield_outputs.hpp"
#include "groundswell/quake/case/waves.hpp"
#include "groundswell/quake/fields.hpp"
#include "groundswell/quake/source/rupture/about.hpp"
#include "groundswell/quake/source/rupture/read.hpp"
#include "groundswell/simulation/stations.hpp"

namespace groundswell::quake {

namespace {

using simulation::Section;

tetra::Boundary read_boundary(const Section& section, const char* key, const char* usual,
                              std::string_view meaning) {
    return section.choice(key, usual, {"free", "absorbing"}, {meaning}) == "free"
               ? tetra::Boundary::free
               : tetra::Boundary::absorbing;
}

tetra::BoxOptions read_box(const Section& section) {
    tetra::BoxOptions box;
    const auto cubes = three(section, "cubes",
                             {"cubes along x, y and z, each cut into five tetrahedra; even, and at least 4, "
                              "where periodic"});
    const auto length = three(section, "length", {"length along x, y and z", "m"});
    if (!section.describing()) {
        if (!cubes) section.refuse("cubes", "a list of 3 numbers");
        if (!length) section.refuse("length", "a list of 3 numbers");
        for (int axis = 0; axis < 3; ++axis) {
            const double count = (*cubes)[axis];
            if (!(count >= 1.0 && count <= 1e5 && count == std::floor(count)))
                section.refuse("cubes", "whole numbers from 1 to 100000");
            if (!((*length)[axis] > 0.0)) section.refuse("length", "lengths above 0");
            box.cubes[axis] = static_cast<std::int64_t>(count);
            box.length[axis] = (*length)[axis];
        }
    }
    if (const auto origin = three(section, "origin",
                                  {"the lowest corner; if not given, the middle of the top "
                                   "is at 0",
                                   "m"}))
        box.origin = *origin;
    else
        box.origin = {-0.5 * box.length[0], -0.5 * box.length[1], -box.length[2]};
    for (const std::string& axis :
         section.words("periodic", {}, {"x", "y", "z"}, {"axes along which the box is periodic"}))
        box.periodic[axis[0] - 'x'] = true;
    box.jitter =
        section.number("jitter", 0.0, {0.0, 0.2},
                       {"how far vertices are moved at random, as a fraction of a cube's edge", "1"});
    const tetra::Boundary lateral =
        read_boundary(section, "lateral", "absorbing", "the sides, where not periodic");
    const tetra::Boundary bottom =
        read_boundary(section, "bottom", "absorbing", "the bottom, where not periodic");
    const tetra::Boundary top = read_boundary(section, "top", "free", "the top, where not periodic");
    box.boundary = {{{lateral, lateral}, {lateral, lateral}, {bottom, top}}};
    return box;
}

MeshSection read_mesh(const Section& section) {
    MeshSection mesh;
    const bool has_box = section.has("box"), has_file = section.has("file");
    if (!section.describing() && has_box == has_file)
        section.refuse("", "either the key file or the section [mesh.box]");
    if (has_file || section.describing()) {
        mesh.file = section.path(
            "file", {}, {"mesh of tetrahedra: Gmsh's format 4.1 or 2.2, or PUML (HDF5) as SeisSol reads it"});
        mesh.join =
            section.number("join", 0.0, {0.0, 1e6},
                           {"vertices of the file that lie no farther apart become one; 0: none do", "m"});
    }
    if (has_box || section.describing()) mesh.box = read_box(section.section("box"));
    mesh.unusual = section.boolean("unusual", false,
                                   {"true: a mesh of a size that no earthquake needs is meant; else what is "
                                    "out by a thousand is refused"});
    return mesh;
}

std::optional<tetra::Projection> read_projection(const Section& section) {
    const bool by_words = section.has("proj");
    if (by_words || section.describing()) {
        const std::string words = section.text("proj", "",
                                               {"in place of longitude and latitude: the projection that the "
                                                "mesh is in, as the PROJ library has it "
                                                "(+proj=utm +zone=11 +datum=WGS84) or by its EPSG number "
                                                "(EPSG:32611). UTM and transverse Mercator always "
                                                "work, others where the program was built with PROJ"});
        if (!section.describing()) {
            if (section.has("longitude") || section.has("latitude"))
                section.refuse("proj", "either proj, or longitude and latitude");
            return tetra::Projection::from_words(words, section.place("proj"), "projection.proj");
        }
    }
    if (!section.has("longitude") && !section.has("latitude") && !section.describing()) return std::nullopt;
    const double longitude =
        section.number("longitude", std::nullopt, {-360.0, 360.0},
                       {"longitude of the place at x = 0, y = 0, about which the ground is projected",
                        "degree", "Karney 2011, doi:10.1007/s00190-011-0445-3"});
    const double latitude = section.number(
        "latitude", std::nullopt, {-90.0, 90.0},
        {"latitude of the same place; both are those of the mesh, if it tells them", "degree"});
    return tetra::Projection(longitude, latitude);
}

SolverSection read_solver(const Section& section) {
    SolverSection solver;
    solver.order = section.integer(
        "order", 4, {2, 7}, {"order of the scheme in space and time; its polynomials have one degree less"});
    solver.precision =
        section.choice("precision", "double", {"float", "double"},
                       {"precision of the unknowns: float takes half the memory and is about twice as fast"});
    const std::string rule = section.choice(
        "step_rule", "stable", {"stable", "own"},
        {"longest step of an element, as a fraction of its width over vp (2 order - 1): what is "
         "stable at this order on any mesh, or, of the diameter of the inscribed sphere, all of "
         "it, as in other programs",
         "", "theory, equation (20); Dumbser, Käser & Toro 2007, section 2.3"});
    solver.step.rule = rule == "stable" ? StepRule::stable : StepRule::own;
    solver.step.courant = section.number(
        "courant", usual_courant(solver.step.rule), {0.01, 1.0},
        {"fraction of that step that is used; 0.5 if not given with step_rule = \"own\"", "1"});
    solver.rate = section.integer("cluster_rate", 2, {1, 3},
                                  {"how many times as long the steps of a cluster of elements are as those "
                                   "of the next finer one; 1: one step for all",
                                   "", "Breuer, Heinecke & Bader 2016, doi:10.1109/IPDPS.2016.109"});
    solver.clusters = section.integer("clusters", 64, {1, 64}, {"largest number of clusters"});
    const std::string scale = section.text_or_number(
        "scale", solver.step.rule == StepRule::own ? "1" : "auto",
        {"the finest cluster's step as a fraction of the longest possible one: above "
         "1/cluster_rate, at most 1; \"auto\": whatever makes the run cheapest; 1 if not given with "
         "step_rule = \"own\"",
         "1", "Breuer & Heinecke 2022, IPDPS"});
    if (scale != "auto") {
        char* end = nullptr;
        const double value = std::strtod(scale.c_str(), &end);
        const double least = solver.rate == 1 ? 0.0 : 1.0 / solver.rate;
        if (end == scale.c_str() || *end != '\0' || !(value > least && value <= 1.0))
            section.refuse("scale", fmt::format("\"auto\" or a number above {:.4g} and at most 1", least));
        solver.scale = value;
    }
    return solver;
}

ReceiversSection read_receivers(const Section& entry, simulation::StreamNames& names,
                                const std::optional<tetra::Projection>& projection) {
    ReceiversSection receivers;
    receivers.file = names.read(entry);
    receivers.every = simulation::StreamNames::read_every(entry);
    receivers.places = read_named_places(entry, "places of the receivers", projection);
    receivers.to_surface = entry.boolean("to_surface", false,
                                         {"true: each is moved up or down to the free surface, or as far "
                                          "below it as stations says; of several surfaces "
                                          "above each other to the nearest"});
    receivers.fields = entry.words("fields", {"vx", "vy", "vz"}, all_field_names(), {"what is written"});
    return receivers;
}

// base::Refusal where an output asks for the state of a law that has none.
void require_fields_of_law(const Section& output, const Case& run) {
    if (output.describing() || !run.fault || !find_law(run.fault->law)->state_unit.empty()) return;
    const auto check = [&](const char* key, const std::vector<std::string>& fields) {
        if (std::ranges::find(fields, "state") != fields.end())
            output.refuse(key, fmt::format("fields that {} has: state belongs to rate-and-state friction",
                                           run.fault->law));
    };
    for (const FaultMapSection& map : run.fault_maps) check("fault", map.fields);
    for (const FaultReceiversSection& receivers : run.fault_receivers)
        check("fault_receivers", receivers.fields);
}

void require_plasticity(const Section& output, const Case& run) {
    if (output.describing() || run.plasticity) return;
    const auto check = [&](const char* key, const std::vector<std::string>& fields) {
        if (std::ranges::find(fields, plastic_strain_names.name) != fields.end())
            output.refuse(
                key,
                "fields that rock has which does not yield: plastic_strain needs a section [plasticity]");
    };
    for (const simulation::MapSection& map : run.output.maps) check("map", map.fields);
    for (const VolumeSection& volume : run.volumes) check("volume", volume.fields);
}

}  // namespace

std::unique_ptr<simulation::Case> read_case(const simulation::CaseReader& reader,
                                            const std::string& output_folder) {
    const Section root = reader.root();
    auto run = std::make_unique<Case>();
    simulation::read_common(reader, *run);
    run->time = simulation::read_time(
        root.section("time"),
        {"longest step that any element may take; automatic: as long as solver.step_rule allows"}, false);
    run->mesh = read_mesh(root.section("mesh"));
    run->projection = read_projection(root.section("projection"));
    run->solver = read_solver(root.section("solver"));
    run->rock = read_rock(root.section("material"), read_attenuation(root.section("attenuation")));
    const Section initial = root.section("initial");
    run->waves = read_waves(initial);
    if (initial.has("file") || initial.describing())
        run->initial_file = initial.path(
            "file", {},
            {"NetCDF file with the wave field at the start: variables vx, vy, vz (m s-1) and sxx, syy, szz, "
             "sxy, syz, sxz (Pa), 0 where one is missing, on axes x, y and z with their units (m or km); "
             "linear "
             "between points; added to the waves, if there are any"});
    const Section source = root.section("source");
    run->sources = read_sources(source, run->projection);
    run->ruptures = read_ruptures(source);
    run->planes = read_planes(source, run->projection);
    run->fault = read_fault(root.section("fault"));
    run->plasticity = read_plasticity(root.section("plasticity"), run->fault.has_value());
    run->halo = simulation::read_halo(root.section("halo"), *run);
    run->output = simulation::read_output(
        root.section("output"), reader, output_folder, {all_cell_field_names(), {"vx", "vy", "vz"}},
        [&](const Section& output, simulation::StreamNames& names) {
            for (const Section& entry : output.sections("receivers"))
                run->receivers.push_back(read_receivers(entry, names, run->projection));
            for (const Section& entry : output.sections("surface"))
                run->surfaces.push_back(read_surface(entry, names));
            for (const Section& entry : output.sections("volume"))
                run->volumes.push_back(read_volume(entry, names));
            for (const Section& entry : output.sections("fault"))
                run->fault_maps.push_back(read_fault_map(entry, names));
            for (const Section& entry : output.sections("fault_receivers"))
                run->fault_receivers.push_back(read_fault_receivers(entry, names, run->projection));
            if (!output.describing() && !run->fault &&
                !(run->fault_maps.empty() && run->fault_receivers.empty()))
                output.refuse(run->fault_maps.empty() ? "fault_receivers" : "fault",
                              "the section [fault] in this case");
            const Section rupture = output.section("rupture");
            if (rupture.has("file") || rupture.has("every") || rupture.describing())
                run->rupture_series = {
                    names.read(rupture), simulation::StreamNames::read_every(rupture),
                    rupture.boolean(
                        "moment_of_jump", false,
                        {"true: besides, the moment by the jump of velocity across the fault in any "
                         "direction, which is what SeisSol calls seismic moment"})};
            require_fields_of_law(output, *run);
            if (!output.describing() && !run->fault && run->rupture_series)
                output.refuse("rupture", "the section [fault] in this case");
            const Section energies = output.section("energies");
            if (energies.has("file") || energies.has("every") || energies.describing())
                run->energies = {names.read(energies), simulation::StreamNames::read_every(energies)};
        });
    require_plasticity(root.section("output"), *run);
    return run;
}

std::vector<simulation::Interval> Case::intervals() const {
    std::vector<simulation::Interval> all = simulation::Case::intervals();
    for (const ReceiversSection& entry : receivers)
        all.push_back({"output.receivers[].every", entry.every, "for " + entry.file, entry.file});
    for (const SurfaceSection& entry : surfaces)
        all.push_back({"output.surface[].every", entry.every, "for " + entry.file, entry.file});
    for (const VolumeSection& entry : volumes)
        all.push_back({"output.volume[].every", entry.every, "for " + entry.file, entry.file});
    for (const FaultMapSection& entry : fault_maps)
        all.push_back({"output.fault[].every", entry.every, "for " + entry.file, entry.file});
    for (const FaultReceiversSection& entry : fault_receivers)
        all.push_back({"output.fault_receivers[].every", entry.every, "for " + entry.file, entry.file});
    if (rupture_series)
        all.push_back({"output.rupture.every", rupture_series->every, "for " + rupture_series->file,
                       rupture_series->file});
    if (energies)
        all.push_back({"output.energies.every", energies->every, "for " + energies->file, energies->file});
    return all;
}

std::vector<std::string> Case::input_files() const {
    std::vector<std::string> files = simulation::Case::input_files();
    if (!mesh.box) files.push_back(mesh.file);
    for (const std::string& grid : quake::input_files(rock)) files.push_back(grid);
    if (!initial_file.empty()) files.push_back(initial_file);
    for (const FaultEntry& entry : fault ? fault->entries : std::vector<FaultEntry>{})
        if (entry.grid) files.push_back(entry.grid->file());
    for (const SourceSection& source : sources)
        if (!source.samples.empty()) files.push_back(source.samples);
    for (const RuptureSection& rupture : ruptures) files.push_back(rupture.file);
    for (const ReceiversSection& entry : receivers)
        if (!entry.places.list.empty()) files.push_back(entry.places.list);
    for (const FaultReceiversSection& entry : fault_receivers)
        if (!entry.places.list.empty()) files.push_back(entry.places.list);
    return files;
}

std::vector<std::string> Case::about_input() const {
    std::vector<std::string> lines;
    for (const RuptureSection& rupture : ruptures)
        lines.push_back(about(rupture.name, read_rupture(*this, rupture)));
    for (const PlaneSection& plane : planes) lines.push_back(about(plane.name, rupture_of(plane.plane)));
    return lines;
}

}  // namespace groundswell::quake
