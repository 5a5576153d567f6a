#include "groundswell/sea/case.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string_view>

#include "groundswell/base/errors.hpp"
#include "groundswell/gridded/cf_time.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/sea/case_output.hpp"

namespace groundswell::sea {

namespace {

using simulation::Section;

TimeSection read_time(const Section& section) {
    TimeSection time;
    time.start =
        section.instant("start", {"first moment of the simulation; the first record is written here", "UTC"});
    time.end = section.instant(
        "end",
        {"last moment of the simulation; a record is written here if whole output intervals lead to it",
         "UTC"});
    if (!section.describing() && !(time.start < time.end))
        section.refuse("end", fmt::format("a time after time.start = {}", base::format_instant(time.start)));
    time.step =
        section.duration_or("step", "auto", std::nullopt,
                            {"propagation step; automatic: the longest stable one that fits the outputs"});
    time.source_step = section.duration_or(
        "source_step", "auto", std::nullopt,
        {"step of the source terms, a multiple of the propagation step; automatic: at most 5 min"});
    return time;
}

MeshSection read_mesh(const Section& section) {
    MeshSection mesh;
    mesh.file = section.path("file", {}, {"mesh in the MPAS mesh format"});
    mesh.partition = section.choice(
        "partition", "two-level", {"two-level", "plain", "curve", "scattered"},
        {"how cells are cut into parts: hosts first and then ranks, ranks at once, stretches of a "
         "space-filling curve, or distributed at random (for comparison only)"});
    mesh.map_to_hosts =
        section.choice("mapping", "auto", {"auto", "none"},
                       {"plain parts on several hosts: give them to ranks such that neighbours share a host, "
                        "or part p to rank p; two-level parts need none"}) == "auto";
    mesh.imbalance =
        section.number("imbalance", 0.02, {0.001, 0.5},
                       {"how much larger than the mean a part may be; below 1 % costs much halo", "1"});
    if (section.has("uniform_depth") || section.describing())
        mesh.uniform_depth =
            section.number("uniform_depth", 4000.0, {0.1, 12000.0},
                           {"depth everywhere, in place of the mesh's bottomDepth, if given", "m"});
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

WindFileOptions read_wind_file(const Section& section) {
    WindFileOptions wind;
    wind.files = section.paths(
        "file", {"CF NetCDF file(s) with the 10 m wind on a latitude/longitude grid, in order of time"});
    wind.eastward =
        section.text("eastward", "", {"variable of the eastward wind; empty: found by its standard name"});
    wind.northward = section.text("northward", "", {"variable of the northward wind; empty: as above"});
    const std::string units =
        section.choice("units", "file", {"file", "m/s", "knots"},
                       {"unit of the wind where a file states none that is understood"});
    wind.units.speed = units == "file" ? "" : units;
    wind.units.time = section.text(
        "time_units", "", {"of the time axis where a file states none, as \"hours since 1900-01-01\""});
    if (!wind.units.time.empty() && !section.describing()) {
        try {
            gridded::CfTime("", "", wind.units.time, "");
        } catch (const base::Refusal&) {
            section.refuse("time_units", "days, hours, minutes or seconds since YYYY-MM-DD [hh:mm:ss]");
        }
    }
    wind.climatology =
        section.boolean("climatology", false, {"the file's time axis is one year that repeats"});
    return wind;
}

VortexOptions read_vortex(const Section& section) {
    VortexOptions vortex;
    vortex.track = section.path(
        "vortex", "", {"storm track, CSV or ATCF b-deck (.dat), blended over what stands above it"});
    vortex.profile = section.choice("profile", "holland2010", {"holland2010", "holland1980"},
                                    {"radial profile of the vortex", "",
                                     "Holland, Belanger & Fritz 2010; Holland 1980"}) == "holland2010"
                         ? VortexProfile::holland2010
                         : VortexProfile::holland1980;
    vortex.wind_factor = section.number("wind_factor", vortex.wind_factor, {0.5, 1.2},
                                        {"the track's wind to 10-minute mean at sea", "1",
                                         "Harper, Kepert & Ginger 2010, WMO/TD-1555, table 1.1"});
    vortex.inflow_angle =
        section.number("inflow_angle", vortex.inflow_angle, {0.0, 60.0},
                       {"turn of the wind towards the centre, outside 1.2 radii of maximum wind", "degree"});
    vortex.translation_fraction =
        section.number("translation_fraction", vortex.translation_fraction, {0.0, 1.0},
                       {"share of the storm's motion that adds to the wind where it is strongest", "1",
                        "Lin & Chavas 2012, doi:10.1029/2011JD017126"});
    vortex.translation_turn = section.number(
        "translation_turn", vortex.translation_turn, {-90.0, 90.0},
        {"cyclonic turn of that share", "degree", "Lin & Chavas 2012, doi:10.1029/2011JD017126"});
    vortex.ambient_pressure = section.number("ambient_pressure", vortex.ambient_pressure, {950.0, 1050.0},
                                             {"pressure around the storm where the track gives none", "hPa"});
    vortex.blend_inner = section.number("blend_inner", vortex.blend_inner, {0.1, 20.0},
                                        {"gale radii within which the vortex alone holds", "1"});
    vortex.blend_outer = section.number("blend_outer", vortex.blend_outer, {0.1, 50.0},
                                        {"gale radii beyond which the vortex is not felt", "1"});
    if (!section.describing() && !(vortex.blend_outer > vortex.blend_inner))
        section.refuse("blend_outer", fmt::format("more than blend_inner = {}", vortex.blend_inner));
    return vortex;
}

std::vector<WindOptions> read_wind(const Section& root) {
    std::vector<WindOptions> entries;
    for (const Section& section : root.sections("wind")) {
        const int kinds = static_cast<int>(section.has("file")) + static_cast<int>(section.has("uniform")) +
                          static_cast<int>(section.has("vortex"));
        if (!section.describing() && kinds != 1)
            section.refuse("", "exactly one of the keys file, uniform or vortex in each [[wind]]");
        if (section.has("file") || section.describing()) entries.emplace_back(read_wind_file(section));
        if (section.has("uniform") || section.describing()) {
            const std::vector<double> wind =
                section.numbers("uniform", 2, {"the same wind everywhere: [eastward, northward]", "m s-1"});
            if (!wind.empty()) entries.emplace_back(UniformOptions{wind[0], wind[1]});
        }
        if (section.has("vortex") || section.describing()) entries.emplace_back(read_vortex(section));
        if (!section.describing() && entries.size() > 1 && !section.has("vortex"))
            section.refuse(section.has("file") ? "file" : "uniform",
                           "the background wind to be the first [[wind]], and only vortices after it");
    }
    return entries;
}

ParametricSea read_parametric_sea(const Section& section, bool required) {
    ParametricSea sea;
    const auto need = [&](double value) {
        return required ? std::optional<double>() : std::optional<double>(value);
    };
    sea.significant_height =
        section.number("hs", need(1.0), {0.0, 30.0}, {"significant height of the given sea", "m"});
    sea.peak_period = section.number("tp", need(12.0), {0.5, 40.0}, {"its peak period", "s"});
    sea.bearing = section.number("direction", need(270.0), {-360.0, 360.0},
                                 {"its bearing, coming from, clockwise from north", "degree"});
    sea.spread = section.number("spread", 30.0, {1.0, 80.0}, {"its one-sided directional spread", "degree"});
    sea.peak_enhancement =
        section.number("gamma", 3.3, {1.0, 20.0}, {"its peak enhancement", "1", "Hasselmann et al. 1973"});
    return sea;
}

InitialSection read_initial(const Section& section) {
    InitialSection initial;
    const std::string state =
        section.choice("state", "wind-sea", {"wind-sea", "calm", "swell", "restart"},
                       {"the sea at the start: a JONSWAP sea of the local wind, none, a given swell, or that "
                        "of an earlier run's restart file"});
    initial.state = state == "calm"      ? InitialState::calm
                    : state == "swell"   ? InitialState::swell
                    : state == "restart" ? InitialState::restart
                                         : InitialState::wind_sea;
    if (initial.state == InitialState::restart || section.describing())
        initial.file = section.path(
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
    options.coast =
        section.choice("coast", "absorbing", {"absorbing", "closed"},
                       {"what coasts and the rim of the mesh do: swallow waves, or let nothing pass (for "
                        "tests of conservation)"}) == "closed"
            ? CoastBoundary::closed
            : CoastBoundary::absorbing;
    options.turning = section.boolean("turning", true, {"great-circle turning and depth refraction"});
    options.minimum_depth = minimum_depth;
    return options;
}

HaloSection read_halo(const Section& section) {
    HaloSection halo;
    std::vector<std::string> names;
    for (const std::string_view name : halo::transport_names()) names.emplace_back(name);
    halo.transport = section.choice(
        "transport", "auto", names,
        {"how halos travel between ranks; automatic: the fastest of a few measured exchanges"});
    const std::string progress = section.choice(
        "progress", "none", {"none", "polling", "thread"},
        {"what pushes messages along while interior cells are computed: nothing, the computation itself "
         "between chunks of cells, or a communication thread; a thread needs a core of its own and "
         "MPI_THREAD_MULTIPLE"});
    halo.progress = progress == "thread"    ? Progress::thread
                    : progress == "polling" ? Progress::polling
                                            : Progress::none;
    halo.thread_cores = read_cores(
        section,
        {"cores for the communication threads, numbered as the system does (lscpu): of the first rank on "
         "each "
         "host, of the second, …; without, a core that the launcher allows a rank and its threads do not "
         "need"});
    const std::string directions = section.choice(
        "directions", "auto", {"auto", "all", "needed"},
        {"which directions of a halo cell travel: all, or with the upwind scheme only those that the "
         "receiver needs (the same bits, about two thirds of the bytes); automatic: what was faster in a few "
         "measured exchanges"});
    halo.directions = directions == "all"      ? HaloDirections::all
                      : directions == "needed" ? HaloDirections::needed
                                               : HaloDirections::automatic;
    halo.reorder = section.boolean(
        "reorder", false,
        {"let the MPI library give processes new ranks, knowing which parts exchange how much"});
    return halo;
}

Case read(const simulation::CaseReader& reader, const std::string& output_folder) {
    const Section root = reader.root();
    Case read;
    read.file = reader.file();
    read.text = reader.text();
    read.title = root.text("title", "", {"what the case is; becomes the title of the output files"});
    read.time = read_time(root.section("time"));
    read.mesh = read_mesh(root.section("mesh"));
    read.spectrum = read_spectrum(root.section("spectrum"));
    read.wind = read_wind(root);
    read.initial = read_initial(root.section("initial"));
    read.wave_makers = read_wave_makers(root);
    read.physics = read_physics_options(root.section("physics"));
    const Section propagation = root.section("propagation");
    read.propagation = read_propagation(propagation, read.physics.minimum_depth, read.propagates);
    read.courant = propagation.number("courant", 0.9, {0.01, 1.0},
                                      {"share of the longest stable step that an automatic step may use"});
    read.halo = read_halo(root.section("halo"));
    read.threads = root.section("run").integer("threads", 1, {1, 1024},
                                               {"threads of each rank, whatever OMP_NUM_THREADS says"});
    read.output = read_output(root.section("output"), reader, output_folder);
    return read;
}

}  // namespace

std::string_view name(Progress progress) {
    return progress == Progress::thread ? "thread" : progress == Progress::polling ? "polling" : "none";
}

Case read_case(const std::string& file, const CaseOverrides& overrides,
               std::vector<simulation::KeyRecord>* keys) {
    const simulation::CaseReader reader(file, overrides.set);
    // A mistyped key is a likelier cause of a missing one: it is looked for even when reading stops early.
    try {
        Case result = read(reader, overrides.output_folder);
        reader.refuse_unknown_keys();
        if (keys != nullptr) *keys = reader.keys();
        return result;
    } catch (const base::Refusal&) {
        simulation::CaseReader all = simulation::CaseReader::describe();
        read(all, "");
        reader.refuse_unknown_keys(all);
        throw;
    }
}

std::vector<simulation::KeyRecord> describe_case() {
    const simulation::CaseReader reader = simulation::CaseReader::describe();
    read(reader, "");
    return reader.keys();
}

std::vector<std::string> input_files(const Case& run) {
    std::vector<std::string> files{run.file, run.mesh.file};
    for (const WindOptions& wind : run.wind) {
        if (const auto* grids = std::get_if<WindFileOptions>(&wind))
            files.insert(files.end(), grids->files.begin(), grids->files.end());
        if (const auto* vortex = std::get_if<VortexOptions>(&wind)) files.push_back(vortex->track);
    }
    if (!run.initial.file.empty()) files.push_back(run.initial.file);
    return files;
}

}  // namespace groundswell::sea
