#include "groundswell/quake/case.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "groundswell/quake/fault/case/options.hpp"
#include "groundswell/quake/fault/fields.hpp"
#include "groundswell/quake/fields.hpp"
#include "groundswell/quake/source/rupture/read.hpp"
#include "groundswell/quake/source/rupture/sub_source.hpp"

namespace groundswell::quake {

namespace {

using simulation::Section;

// base::Refusal where an output asks for the state of a law that has none.
void require_fields_of_law(const Section& output, const Case& run) {
    if (output.describing() || !run.fault) return;
    const bool has_state = !find_law(run.fault->law)->state_unit.empty();
    const auto check = [&](const char* key, const std::vector<std::string>& fields) {
        if (!run.fault->thermal &&
            std::ranges::any_of(fields, [](const auto& name) { return find_fault_field(name).of_heat; }))
            output.refuse(key,
                          "fields that a fault has which heats: temperature_change and pore_pressure_change "
                          "need a section [fault.thermal_pressurisation]");
        if (!find_law(run.fault->law)->left_to_weaken &&
            std::ranges::any_of(fields, [](const auto& name) { return find_fault_field(name).of_weakening; }))
            output.refuse(key,
                          fmt::format("fields that {} has: weakening_time belongs to friction that falls "
                                      "with slip, and to fast-weakening",
                                      run.fault->law));
        if (has_state) return;
        if (std::ranges::any_of(fields, [](const auto& name) { return find_fault_field(name).of_state(); }))
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
        if (std::ranges::any_of(fields, [](const auto& name) { return find_field(name).of_yielding; }))
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
    run->initial = read_initial(root.section("initial"));
    run->source = read_sources(root.section("source"), run->projection);
    run->fault = read_fault(root.section("fault"));
    run->plasticity = read_plasticity(root.section("plasticity"), run->fault.has_value());
    run->layer = read_layer(root.section("absorbing_layer"));
    run->halo = simulation::read_halo(root.section("halo"), *run);
    run->output = simulation::read_output(
        root.section("output"), reader, output_folder, {all_field_names(FieldsOf::cells), {"vx", "vy", "vz"}},
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
            run->rupture_series = read_rupture_series(output.section("rupture"), names);
            require_fields_of_law(output, *run);
            if (!output.describing() && !run->fault && run->rupture_series)
                output.refuse("rupture", "the section [fault] in this case");
            run->energies = read_energies(output.section("energies"), names);
        });
    require_plasticity(root.section("output"), *run);
    return run;
}

std::vector<simulation::Interval> Case::intervals() const {
    std::vector<simulation::Interval> all = simulation::Case::intervals();
    const auto add = [&](const char* key, const StreamSection& entry) {
        all.push_back({key, entry.every, "for " + entry.file, entry.file});
    };
    for (const ReceiversSection& entry : receivers) add("output.receivers[].every", entry);
    for (const SurfaceSection& entry : surfaces) add("output.surface[].every", entry);
    for (const VolumeSection& entry : volumes) add("output.volume[].every", entry);
    for (const FaultMapSection& entry : fault_maps) add("output.fault[].every", entry);
    for (const FaultReceiversSection& entry : fault_receivers) add("output.fault_receivers[].every", entry);
    if (rupture_series) add("output.rupture.every", *rupture_series);
    if (energies) add("output.energies.every", *energies);
    return all;
}

std::vector<std::string> Case::input_files() const {
    std::vector<std::string> files = simulation::Case::input_files();
    if (!mesh.box) files.push_back(mesh.file);
    for (const std::string& grid : quake::input_files(rock)) files.push_back(grid);
    if (!initial.file.empty()) files.push_back(initial.file);
    for (const FaultEntry& entry : fault ? fault->entries : std::vector<FaultEntry>{})
        if (entry.grid) files.push_back(entry.grid->file());
    if (fault) {
        files.insert(files.end(), fault->slip_rates.begin(), fault->slip_rates.end());
        if (!fault->rupture.empty()) files.push_back(fault->rupture);
    }
    if (plasticity && !plasticity->grid.empty()) files.push_back(plasticity->grid);
    for (const SourceSection& point : source.points)
        if (!point.samples.empty()) files.push_back(point.samples);
    for (const RuptureSection& rupture : source.ruptures) files.push_back(rupture.file);
    for (const ReceiversSection& entry : receivers)
        if (!entry.places.list.empty()) files.push_back(entry.places.list);
    for (const FaultReceiversSection& entry : fault_receivers)
        if (!entry.places.list.empty()) files.push_back(entry.places.list);
    return files;
}

std::vector<std::string> Case::about_input() const {
    std::vector<std::string> lines;
    for (const RuptureSection& rupture : source.ruptures)
        lines.push_back(about(rupture.name, read_rupture(file, projection, rupture)));
    for (const PlaneSection& plane : source.planes)
        lines.push_back(about(plane.name, rupture_of(plane.plane)));
    return lines;
}

}  // namespace groundswell::quake
