#include "groundswell/quake/case.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "groundswell/quake/case/sources.hpp"
#include "groundswell/quake/fields.hpp"
#include "groundswell/simulation/stations.hpp"

namespace groundswell::quake {

namespace {

using simulation::Section;

std::optional<std::array<double, 3>> three(const Section& section, const char* key,
                                           simulation::KeyText text) {
    const std::vector<double> given = section.numbers(key, 3, text);
    if (given.empty()) return std::nullopt;
    return std::array<double, 3>{given[0], given[1], given[2]};
}

tetra::Boundary read_boundary(const Section& section, const char* key, const char* usual) {
    return section.choice(key, usual, {"free", "absorbing"},
                          {"what the sides are (bottom, lateral) or the top is, where not periodic"}) ==
                   "free"
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
    for (const std::string& axis : section.words("periodic", {}, {"x", "y", "z"},
                                                 {"axes along which the box goes on from its beginning"}))
        box.periodic[axis[0] - 'x'] = true;
    box.jitter = section.number("jitter", 0.0, {0.0, 0.2},
                                {"how far vertices are moved at random, as a part of a cube's edge", "1"});
    const tetra::Boundary lateral = read_boundary(section, "lateral", "absorbing");
    const tetra::Boundary bottom = read_boundary(section, "bottom", "absorbing");
    const tetra::Boundary top = read_boundary(section, "top", "free");
    box.boundary = {{{lateral, lateral}, {lateral, lateral}, {bottom, top}}};
    return box;
}

MeshSection read_mesh(const Section& section) {
    MeshSection mesh;
    const bool has_box = section.has("box"), has_file = section.has("file");
    if (!section.describing() && has_box == has_file)
        section.refuse("", "either the key file or the section [mesh.box]");
    if (has_file || section.describing())
        mesh.file = section.path(
            "file", {}, {"mesh of tetrahedra: Gmsh's format 4.1, or PUML (HDF5) as SeisSol reads it"});
    if (has_box || section.describing()) mesh.box = read_box(section.section("box"));
    return mesh;
}

SolverSection read_solver(const Section& section) {
    SolverSection solver;
    solver.order = section.integer("order", 4, {2, 7},
                                   {"order of the scheme in space and time: polynomials of one degree less"});
    solver.precision =
        section.choice("precision", "double", {"float", "double"},
                       {"of the unknowns: float takes half the memory and is about twice as fast"});
    section.choice("step_rule", "insphere", {"insphere"},
                   {"longest step of an element: the diameter of its inscribed sphere over vp (2 order - 1), "
                    "times courant",
                    "", "Dumbser, Käser & Toro 2007, section 2.3"});
    solver.courant = section.number("courant", 0.5, {0.01, 1.0}, {"share of that step that is taken", "1"});
    solver.rate = section.integer(
        "rate", 2, {1, 3},
        {"clusters of elements take steps this many times as long as the next finer one; 1: one step for all",
         "", "Breuer, Heinecke & Bader 2016, doi:10.1109/IPDPS.2016.109"});
    solver.clusters = section.integer("clusters", 64, {1, 64}, {"clusters at most"});
    const std::string scale = section.text_or_number(
        "scale", "1",
        {"the finest cluster's step as a part of the longest possible: above 1/rate, up to 1; \"auto\": what "
         "makes the run cheapest",
         "1", "Breuer & Heinecke 2022, arXiv:2202.10313"});
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

InitialSection read_initial(const Section& section) {
    InitialSection initial;
    const std::string state =
        section.choice("state", "rest", {"rest", "plane-wave"}, {"the wave field at the start"});
    if (state == "rest" && !section.describing()) return initial;
    initial.state = InitialState::plane_wave;
    initial.wave = section.choice("wave", "P", {"P", "S"}, {"kind of the plane wave"})[0];
    const auto number =
        three(section, "waves",
              {"wave lengths in a metre along x, y and z: the wave number over 2π; the wave runs "
               "that way",
               "m-1"});
    if (!number && !section.describing()) section.refuse("waves", "a list of 3 numbers");
    if (number)
        for (int j = 0; j < 3; ++j) initial.wave_number[j] = 2.0 * std::numbers::pi * (*number)[j];
    const auto direction = three(section, "polarisation",
                                 {"of an S wave: the ground moves along that part of it which is across "
                                  "the wave number"});
    if (direction) initial.polarisation = *direction;
    if (!direction && initial.wave == 'S' && !section.describing())
        section.refuse("polarisation", "a list of 3 numbers, for an S wave");
    initial.amplitude = section.number("amplitude", 1.0, {}, {"largest velocity of the ground", "m s-1"});
    return initial;
}

ReceiversSection read_receivers(const Section& entry, simulation::StreamNames& names) {
    ReceiversSection receivers;
    receivers.file = names.read(entry);
    receivers.every = simulation::StreamNames::read_every(entry);
    for (const auto& row : entry.rows("at", {"x", "y", "z"}, {"places of the receivers, z up", "m"}))
        receivers.at.push_back({row[0], row[1], row[2]});
    if (receivers.at.empty() && !entry.describing()) entry.refuse("at", "a list of [x, y, z]");
    receivers.names = simulation::read_station_names(entry, receivers.at.size());
    receivers.fields = entry.words("fields", {"vx", "vy", "vz"}, all_field_names(), {"what is written"});
    return receivers;
}

}  // namespace

std::unique_ptr<simulation::Case> read_case(const simulation::CaseReader& reader,
                                            const std::string& output_folder) {
    const Section root = reader.root();
    auto run = std::make_unique<Case>();
    simulation::read_common(reader, *run);
    run->time = simulation::read_time(
        root.section("time"), {"step of the finest cluster at most; automatic: what solver.step_rule allows"},
        false);
    run->mesh = read_mesh(root.section("mesh"));
    run->solver = read_solver(root.section("solver"));
    run->rock = read_rock(root.section("material"));
    run->initial = read_initial(root.section("initial"));
    run->sources = read_sources(root.section("source"));
    run->halo = simulation::read_halo(root.section("halo"), *run);
    run->output = simulation::read_output(
        root.section("output"), reader, output_folder, {all_field_names(), {"vx", "vy", "vz"}},
        [&](const Section& output, simulation::StreamNames& names) {
            for (const Section& entry : output.sections("receivers"))
                run->receivers.push_back(read_receivers(entry, names));
            for (const Section& entry : output.sections("energy"))
                run->energies.push_back({names.read(entry), simulation::StreamNames::read_every(entry)});
        });
    return run;
}

std::vector<simulation::Interval> Case::intervals() const {
    std::vector<simulation::Interval> all = simulation::Case::intervals();
    for (const ReceiversSection& entry : receivers)
        all.push_back({"output.receivers[].every", entry.every, "for " + entry.file, entry.file});
    for (const EnergySection& entry : energies)
        all.push_back({"output.energy[].every", entry.every, "for " + entry.file, entry.file});
    return all;
}

std::vector<std::string> Case::input_files() const {
    std::vector<std::string> files = simulation::Case::input_files();
    if (!mesh.box) files.push_back(mesh.file);
    for (const std::string& grid : quake::input_files(rock)) files.push_back(grid);
    for (const SourceSection& source : sources)
        if (!source.samples.empty()) files.push_back(source.samples);
    return files;
}

}  // namespace groundswell::quake
