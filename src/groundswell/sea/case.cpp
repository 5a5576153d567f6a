#include "groundswell/sea/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "groundswell/base/errors.hpp"
#include "groundswell/sea/fields.hpp"
#include "groundswell/sea/forcing/kinds/kinds.hpp"

namespace groundswell::sea {

namespace {

using simulation::Section;

MeshSection read_mesh(const Section& section) {
    MeshSection mesh;
    mesh.file = section.path("file", {}, {"mesh in the MPAS mesh format"});
    mesh.partition =
        section.choice("partition", "auto", {"auto", "file", "two-level", "plain", "curve", "scattered"},
                       {"how the mesh is cut into parts: as a file has it that `groundswell partition "
                        "--keep` wrote, hosts first and then ranks, ranks at once, stretches of a "
                        "space-filling curve, or distributed at random (for comparison only); auto: by the "
                        "file if there is one for as many ranks beside the mesh, else two-level"});
    mesh.part_file = section.path("part_file", "",
                                  {"file with the part of each cell, if it is not found beside the mesh; "
                                   "NetCDF, or text as METIS writes it"});
    if (!mesh.part_file.empty() && mesh.partition != "auto" && mesh.partition != "file")
        section.refuse("part_file",
                       fmt::format("only with partition = \"file\" or \"auto\", not \"{}\"", mesh.partition));
    mesh.map_to_hosts =
        section.choice("mapping", "auto", {"auto", "none"},
                       {"plain parts on several hosts: give them to ranks such that neighbours share a host, "
                        "or part p to rank p; two-level parts need none"}) == "auto";
    mesh.imbalance = section.number(
        "imbalance", 0.02, {0.001, 0.5},
        {"how much larger than the mean a part may be; below 1 % the halo grows much larger", "1"});
    if (section.has("uniform_depth") || section.describing())
        mesh.uniform_depth =
            section.number("uniform_depth", 4000.0, {0.1, 12000.0},
                           {"depth everywhere, in place of the mesh's bottomDepth, if given", "m"});
    mesh.minimum_depth = section.number(
        "minimum_depth", 0.1, {0.0, 100.0},
        {"depth of water, with a [[water_level]], below which a cell is dry and without waves", "m"});
    mesh.smallest_sea = section.number(
        "smallest_sea", 0.01, {0.0, 1.0},
        {"waters with fewer cells than this share of the largest one's are left out; 0: none", "1"});
    mesh.obstruction =
        section.path("obstruction", "",
                     {"file of what islands and reefs smaller than a cell let through, written by "
                      "`groundswell mesh make --obstruction`",
                      "", "Tolman 2003, Ocean Modelling 5, 219–231"});
    mesh.open_beyond = section.numbers(
        "open_beyond", 4,
        {"[west, east, south, north]: faces of the mesh's rim are open to a [[boundary]] where the sea "
         "beyond lies "
         "outside; not given: those that the mesh file lists, as `groundswell mesh make` writes it",
         "degree"});
    return mesh;
}

SpectrumSection read_spectrum(const Section& section) {
    SpectrumSection spectrum;
    spectrum.directions = section.integer("directions", 36, {4, 720}, {"directions over the whole circle"});
    spectrum.frequencies = section.integer("frequencies", 35, {3, 200}, {"frequencies"});
    spectrum.first_frequency =
        section.number("first_frequency", 0.04177, {0.001, 2.0}, {"lowest frequency", "Hz"});
    spectrum.ratio =
        section.number("ratio", 1.1, {1.001, 2.0},
                       {"each frequency divided by the one below; the four-wave term is made for 1.1"});
    return spectrum;
}

// Suits swell of six days; more takes too much from the younger. A region that waves cross sooner bounds it (Model).
constexpr base::Duration usual_swell_age = base::seconds(48 * 3600);

// `restart`: the file to start from, where the case names one.
InitialSection read_initial(const Section& section, std::string& restart) {
    InitialSection initial;
    initial.state = section.choice<InitialState>(
        "state", "wind-sea",
        {{"wind-sea", InitialState::wind_sea},
         {"calm", InitialState::calm},
         {"swell", InitialState::swell},
         {"restart", InitialState::restart}},
        {"the sea at the start: a JONSWAP sea of the local wind, none, a given swell, or that "
         "of an earlier run's restart file"});
    if (initial.state == InitialState::restart || section.describing())
        restart = section.path(
            "file", {},
            {"restart file of an earlier run on the same mesh and spectrum, written for this time.start"});
    initial.fetch = 1000.0 * section.number("fetch", 30.0, {0.1, 10000.0}, {"fetch of the wind sea", "km"});
    const bool swell = initial.state == InitialState::swell;
    if (swell || section.describing()) {
        initial.swell = read_parametric_sea(section, swell);
        const std::vector<double> centre = section.numbers(
            "centre", 2, {"[longitude, latitude] of the middle of the swell, with radius", "degree"});
        if (!centre.empty()) {
            if (std::abs(centre[0]) > 360.0 || std::abs(centre[1]) > 90.0)
                section.refuse("centre", "[longitude, latitude] within ±360 and ±90 degrees");
            initial.lon = centre[0];
            initial.lat = centre[1];
        }
        initial.radius =
            1000.0 * section.number("radius", 0.0, {0.0, 20000.0},
                                    {"distance over which the swell's height falls as exp(-r²/2R²); 0: "
                                     "the same everywhere",
                                     "km"});
        if (!section.describing() && (initial.radius > 0.0) != !centre.empty())
            section.refuse(initial.radius > 0.0 ? "radius" : "centre",
                           initial.radius > 0.0 ? "initial.centre with it: the middle of the swell"
                                                : "initial.radius with it: without, the swell is everywhere");
    }
    return initial;
}

std::vector<WaveMakerSection> read_wave_makers(const Section& root) {
    std::vector<WaveMakerSection> makers;
    for (const Section& section : root.sections("wave_maker")) {
        WaveMakerSection maker;
        maker.region = section.numbers(
            "region", 4, {"[west, east, south, north] of the cells whose spectrum is held", "degree"});
        if (!section.describing() &&
            (maker.region.empty() || maker.region[0] > maker.region[1] || maker.region[2] > maker.region[3]))
            section.refuse("region", "[west, east, south, north] in degrees, west ≤ east and south ≤ north");
        maker.sea = read_parametric_sea(section, true);
        makers.push_back(maker);
    }
    return makers;
}

PropagationOptions read_propagation(const Section& section, double minimum_depth, bool& propagates) {
    PropagationOptions options;
    const std::string scheme = section.choice("scheme", "second-order", {"second-order", "upwind", "none"},
                                              {"geographic propagation: limited second order, first-order "
                                               "upwind, or none (every cell for itself)"});
    propagates = scheme != "none";
    options.scheme = scheme == "second-order" ? PropagationScheme::second_order : PropagationScheme::upwind;
    options.coast = section.choice<CoastBoundary>(
        "coast", "absorbing", {{"absorbing", CoastBoundary::absorbing}, {"closed", CoastBoundary::closed}},
        {"what coasts and the boundary of the mesh do: swallow waves, or let nothing pass (for "
         "tests of conservation)"});
    options.turning = section.boolean("turning", true, {"great-circle turning and depth refraction"});
    const auto age = section.duration_or(
        "swell_age", "none", usual_swell_age,
        {"age of the swell for which bins of the spectrum spread in space as their widths in direction and "
         "frequency have it, against the garden sprinkler effect, at most a third of what the longest waves "
         "take through the region; none: not at all; with second order alone",
         "", "Booij & Holthuijsen 1987, J. Comput. Phys. 68, 307–326"});
    const bool upwind = options.scheme == PropagationScheme::upwind;
    if (upwind && age && section.has("swell_age") && !section.describing())
        section.refuse("swell_age",
                       "\"none\" without the second-order scheme: first order spreads more than that");
    options.swell_age = age && !upwind ? age->seconds() : 0.0;
    options.minimum_depth = minimum_depth;
    return options;
}

HaloSection read_sea_halo(const Section& section, simulation::Case& run) {
    HaloSection halo{simulation::read_halo(section, run)};
    halo.names.values = "directions";
    using halo::Values;
    halo.values = section.choice<Values>(
        "directions", "auto",
        {{"auto", Values::automatic}, {"all", Values::all}, {"needed", Values::selected}},
        {"which directions of a halo cell travel: all, or with the upwind scheme only those that the "
         "receiver needs (the same bits, about two thirds of the bytes); automatic: what was faster in a few "
         "measured exchanges"});
    halo.reorder = section.boolean(
        "reorder", false,
        {"let the MPI library give processes new ranks, knowing which parts exchange how much"});
    return halo;
}

void check_statistics(const simulation::Case& run) {
    for (const simulation::MapSection& map : run.output.maps)
        for (const std::string& name : map.fields) {
            const Field& field = find_field(name);
            const bool has_order = !field.is_bearing() || map.statistic == "mean";
            base::require(map.statistic == "point" || (has_order && !includes(field.reads, Reads::force)),
                          run.file, "output.map[].fields", name,
                          fmt::format("a field with a {} for {}: bearings have a mean alone, the force of "
                                      "waves neither",
                                      map.statistic, map.file));
        }
}

}  // namespace

std::unique_ptr<simulation::Case> read_case(const simulation::CaseReader& reader,
                                            const std::string& output_folder) {
    const Section root = reader.root();
    auto run = std::make_unique<Case>();
    simulation::read_common(reader, *run);
    const Section time = root.section("time");
    run->time = simulation::read_time(
        time, {"propagation step; automatic: the longest stable one that fits the outputs"});
    run->source_step = time.duration_or(
        "source_step", "auto", std::nullopt,
        {"step of the source terms, a multiple of the propagation step; automatic: at most 5 min"});
    run->mesh = read_mesh(root.section("mesh"));
    run->spectrum = read_spectrum(root.section("spectrum"));
    for (const ForcingKind* kind : forcing_kinds()) run->forcing.push_back({kind, read_entries(root, *kind)});
    run->initial = read_initial(root.section("initial"), run->initial_restart);
    run->wave_makers = read_wave_makers(root);
    run->boundaries = read_boundaries(root);
    const Section physics = root.section("physics");
    run->physics = read_physics_options(physics);
    const auto has = [&run](const ForcingKind& kind) {
        return std::ranges::any_of(run->forcing, [&kind](const ForcingSection& section) {
            return section.kind == &kind && !section.entries.empty();
        });
    };
    run->ice = read_ice_options(physics, has(ice_kind()), has(ice_thickness_kind()));
    const Section propagation = root.section("propagation");
    run->propagation = read_propagation(propagation, run->physics[common::minimum_depth], run->propagates);
    if (!run->boundaries.empty() && !propagation.describing() &&
        (run->propagation.coast == CoastBoundary::closed || !run->propagates))
        propagation.refuse(
            run->propagates ? "coast" : "scheme",
            "an absorbing coast and a scheme with a [[boundary]]: waves enter where they can leave");
    run->courant = propagation.number("courant", 0.9, {0.01, 1.0},
                                      {"share of the longest stable step that an automatic step may use"});
    run->cluster_rate =
        propagation.integer("cluster_rate", 1, {1, 2},
                            {"how many times as long the steps of a cluster of cells are as those of the "
                             "next finer one; 1: one step for all",
                             "", "Breuer, Heinecke & Bader 2016, doi:10.1109/IPDPS.2016.109"});
    for (const ForcingSection& section : run->forcing) {
        if (section.entries.empty()) continue;
        run->propagation.currents = run->propagation.currents || section.kind == &current_kind();
        run->propagation.levels = run->propagation.levels || section.kind == &water_level_kind();
    }
    run->propagation.dry_depth = run->mesh.minimum_depth;
    const Section halo = root.section("halo");
    run->halo = read_sea_halo(halo, *run);
    const bool cut_by_all = run->mesh.partition == "curve" || run->mesh.partition == "file";
    if (run->halo.reorder && (cut_by_all || !run->mesh.part_file.empty()))
        halo.refuse("reorder",
                    fmt::format("false with mesh.partition = \"{}\": no rank knows what all parts exchange",
                                cut_by_all ? run->mesh.partition : "file"));
    run->output = simulation::read_output(
        root.section("output"), reader, output_folder,
        {all_field_names(), {"hs", "tm01", "tp", "dir"}, {"point", "mean", "maximum", "minimum"}},
        [&](const Section& output, simulation::StreamNames& names) {
            for (const Section& entry : output.sections("points"))
                run->points.push_back(read_points(entry, names, run->physics.package != "none"));
            for (const Section& entry : output.sections("grid"))
                run->grids.push_back(read_grid(entry, names));
        });
    check_statistics(*run);
    return run;
}

std::vector<simulation::Interval> Case::intervals() const {
    std::vector<simulation::Interval> all = simulation::Case::intervals();
    for (const PointsSection& entry : points)
        all.push_back({"output.points[].every", entry.every, "for " + entry.file, entry.file});
    for (const GridSection& entry : grids)
        all.push_back({"output.grid[].every", entry.every, "for " + entry.file, entry.file});
    return all;
}

std::vector<std::string> Case::input_files() const {
    std::vector<std::string> files = simulation::Case::input_files();
    files.push_back(mesh.file);
    if (!mesh.obstruction.empty()) files.push_back(mesh.obstruction);
    for (const BoundarySection& boundary : boundaries)
        if (!boundary.file.empty()) files.push_back(boundary.file);
    for (const PointsSection& section : points)
        if (!section.at_file.empty()) files.push_back(section.at_file);
    for (const ForcingSection& section : forcing)
        for (const auto& entry : section.entries)
            for (const std::string& path : entry->files()) files.push_back(path);
    return files;
}

}  // namespace groundswell::sea
