#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/cli/report/halo_report.hpp"
#include "groundswell/halo/host/host_neighbours.hpp"
#include "groundswell/halo/measure/byte_matrix.hpp"
#include "groundswell/halo/measure/measurement.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/mesh/voronoi/load.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/failure.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/sea/halo_exchange.hpp"
#include "groundswell/sea/propagation/propagator.hpp"
#include "groundswell/sea/real.hpp"
#include "groundswell/simulation/report/json_report.hpp"
#include "groundswell/simulation/report/progress_line.hpp"

namespace groundswell::cli {

namespace {

constexpr const char* command_line = "command line";
constexpr double wished_seconds = 5.0;  // of a measurement whose repeats nobody gave
constexpr int fewest_repeats = 20, most_repeats = 5000;
constexpr int largest_matrix = 1024;  // ranks; a larger rank × rank matrix is left out

struct HaloOptions {
    std::string mesh, hexagons, json, partition = "two-level", mapping = "auto";
    std::vector<std::string> transports;
    int layers = 0, directions = 36, frequencies = 35, repeats = 0;
    std::int64_t bytes_per_cell = 0;
    double uniform_depth = 0.0;
    bool selection = false, reorder = false, quiet = false;

    std::size_t bytes() const {
        return bytes_per_cell > 0 ? static_cast<std::size_t>(bytes_per_cell)
                                  : static_cast<std::size_t>(directions) *
                                        static_cast<std::size_t>(frequencies) * sizeof(sea::Real);
    }
    /// Second order is the model's default; what a selection leaves out is known for first order only.
    int rings() const { return layers > 0 ? layers : selection ? 1 : 2; }
};

struct Patch {
    int nx = 0, ny = 0;
};

Patch parse_patch(const std::string& text) {
    Patch patch;
    const char* const end = text.data() + text.size();
    const auto [cross, bad_x] = std::from_chars(text.data(), end, patch.nx);
    bool right = bad_x == std::errc() && cross != end && *cross == 'x';
    if (right) {
        const auto [last, bad_y] = std::from_chars(cross + 1, end, patch.ny);
        right = bad_y == std::errc() && last == end && patch.nx >= 1 && patch.ny >= 1 && patch.nx <= 20000 &&
                patch.ny <= 20000;
    }
    // One rank makes the whole patch.
    constexpr std::int64_t most = 20'000'000;
    right = right && std::int64_t{patch.nx} * patch.ny <= most;
    base::require(right, command_line, "--hexagons", text,
                  "columns x rows, as 200x200, 1 to 20000 each and 20 million cells in all");
    return patch;
}

void check_options(const HaloOptions& options) {
    for (const std::string& name : options.transports)
        halo::require_transport_name(name, command_line, "--transport");
    base::require(options.mesh.empty() != options.hexagons.empty(), command_line, "MESH.nc",
                  options.mesh.empty() ? "" : options.mesh, "a mesh file or --hexagons, one of the two");
    if (!options.hexagons.empty()) parse_patch(options.hexagons);
    graph::partition_method(options.partition, command_line, "--partition");
    base::require(options.mapping == "auto" || options.mapping == "none", command_line, "--mapping",
                  options.mapping, "auto or none");
    if (!options.selection) return;
    base::require(options.layers != 2, command_line, "--layers", "2",
                  "--layers 1 with --selection: second order reads all directions of a cell");
    base::require(options.bytes_per_cell == 0, command_line, "--bytes-per-cell",
                  std::to_string(options.bytes_per_cell), "--directions and --frequencies with --selection");
}

voronoi::LoadedMesh load(MPI_Comm comm, const HaloOptions& options) {
    voronoi::LoadOptions load;
    load.layers = options.rings();
    load.method = graph::partition_method(options.partition);
    load.map_to_hosts = options.mapping == "auto";
    load.reorder = options.reorder;
    if (options.uniform_depth > 0.0) load.read.uniform_depth = options.uniform_depth;
    if (options.hexagons.empty()) return voronoi::load_mesh(comm, options.mesh, load);
    const Patch patch = parse_patch(options.hexagons);
    return voronoi::load_mesh(
        comm,
        [patch] {
            return voronoi::hexagonal_patch(patch.nx, patch.ny, 10e3, 0.0, 0.5,
                                            [](double, double) { return 4000.0; });
        },
        load);
}

// The directions that the model's first-order upwind scheme reads of each halo cell.
std::shared_ptr<const halo::Selection> needed_directions(MPI_Comm comm, const voronoi::LocalMesh& mesh,
                                                         const HaloOptions& options) {
    return parallel::agree(comm, [&] {
        const sea::SpectralGrid grid(options.frequencies, options.directions, 0.04177, 1.1);
        const sea::Propagator propagator(mesh, grid, {});
        return std::make_shared<const halo::Selection>(sea::needed_directions(grid, propagator));
    });
}

// Bytes that come to this rank from other hosts.
std::int64_t from_other_hosts(const halo::HostNeighbours& neighbours,
                              const std::vector<std::int64_t>& received) {
    std::int64_t bytes = 0;
    for (std::size_t k = 0; k < received.size(); ++k)
        if (!neighbours.sources[k].on_host) bytes += received[k];
    return bytes;
}

nlohmann::json statistic_json(MPI_Comm comm, double mine) {
    return simulation::statistic_json(parallel::statistic(comm, mine));
}

// What is exchanged, whatever carries it.
struct Volume {
    std::int64_t all = 0, off_host = 0;                       // bytes of one exchange, all ranks
    std::optional<std::int64_t> selected, selected_off_host;  // of the selected values
    nlohmann::json json;
};

Volume measure_volume(const halo::Plan& plan, std::size_t bytes, const halo::Selection* selection) {
    const MPI_Comm comm = plan.comm();
    const parallel::Placement placement = parallel::find_placement(comm);
    const halo::HostNeighbours neighbours = halo::find_host_neighbours(plan);
    const std::vector<std::int64_t> received = halo::received_bytes(plan, bytes);
    const auto mine = std::accumulate(received.begin(), received.end(), std::int64_t{0});
    Volume volume;
    volume.all = parallel::sum(comm, mine);
    volume.off_host = parallel::sum(comm, from_other_hosts(neighbours, received));
    volume.json["received_bytes"] = statistic_json(comm, static_cast<double>(mine));
    volume.json["neighbours"] = statistic_json(comm, static_cast<double>(plan.sources().size()));
    const auto share = [&](std::int64_t part) {
        return volume.all > 0 ? static_cast<double>(part) / static_cast<double>(volume.all) : 0.0;
    };
    volume.json["off_host_share"] = share(volume.off_host);
    volume.json["selected_share"] = nullptr;
    if (selection != nullptr) {
        const std::vector<std::int64_t> wanted = halo::received_bytes(plan, bytes, selection);
        volume.selected = parallel::sum(comm, std::accumulate(wanted.begin(), wanted.end(), std::int64_t{0}));
        volume.selected_off_host = parallel::sum(comm, from_other_hosts(neighbours, wanted));
        volume.json["selected_share"] = share(*volume.selected);
    }
    volume.json["matrix_bytes"] = nullptr;
    volume.json["host_of_rank"] = nullptr;
    if (parallel::size_of(comm) <= largest_matrix) {
        volume.json["matrix_bytes"] = halo::byte_matrix(plan, received);
        volume.json["host_of_rank"] = parallel::hosts_of_all_ranks(comm, placement);
    }
    return volume;
}

// The transports to measure: those asked for, which must be there, or all that there are.
std::vector<HaloEntry> find_entries(const halo::Plan& plan, const HaloOptions& options) {
    std::vector<HaloEntry> entries;
    if (options.transports.empty()) {
        for (const std::string_view name : halo::transport_names()) {
            if (name == "auto") continue;
            HaloEntry entry;
            entry.name = name;
            const halo::Availability found = halo::availability(name, plan);
            if (!found.available) entry.reason = found.reason;
            entries.push_back(std::move(entry));
        }
        // What the others are compared with stands first.
        std::stable_partition(entries.begin(), entries.end(),
                              [](const HaloEntry& entry) { return entry.name == halo_baseline; });
        return entries;
    }
    for (const std::string& name : options.transports) {
        const halo::Availability found = halo::availability(name, plan);
        parallel::agree(plan.comm(), [&] {
            base::require(found.available, command_line, "--transport", name, "another: " + found.reason);
        });
        const bool known = std::any_of(entries.begin(), entries.end(),
                                       [&](const HaloEntry& entry) { return entry.name == name; });
        if (!known) entries.emplace_back().name = name;
    }
    return entries;
}

// Time of what `auto` took, over that of the fastest; 10th percentiles.
double ratio_to_best(const std::vector<HaloEntry>& entries, const halo::Measurement::Automatic& chosen) {
    double best = std::numeric_limits<double>::infinity(), mine = best;
    for (const HaloEntry& entry : entries) {
        if (!entry.reason.empty()) continue;
        best = std::min(best, entry.whole.whole.p10);
        if (entry.has_selected) best = std::min(best, entry.selected.whole.p10);
        if (entry.name == chosen.name) mine = (chosen.selects ? entry.selected : entry.whole).whole.p10;
    }
    return mine / best;
}

int choose_repeats(double seconds_of_round) {
    return std::clamp(static_cast<int>(wished_seconds / std::max(seconds_of_round, 1e-6)), fewest_repeats,
                      most_repeats);
}

int run_halo(const parallel::Environment& environment, const HaloOptions& options) {
    parallel::agree(environment.comm(), [&] {
        check_options(options);
        if (environment.rank() == 0) simulation::check_json_target(options.json, {options.mesh});
    });
    if (options.quiet) base::set_message_level(base::MessageLevel::warning);
    const voronoi::LoadedMesh loaded = load(environment.comm(), options);
    const voronoi::LocalMesh& mesh = loaded.mesh;
    const MPI_Comm comm = loaded.comm.get();
    const bool speaks = loaded.comm.rank() == 0;
    const auto plan = std::make_shared<const halo::Plan>(comm, mesh.owned_ids(), mesh.halo_ids());
    const auto selection = options.selection ? needed_directions(comm, mesh, options) : nullptr;

    std::vector<HaloEntry> entries = find_entries(*plan, options);
    halo::Measurement measurement(plan, mesh.id, options.bytes(), halo::Memory::shared);
    for (const HaloEntry& entry : entries) {
        if (!entry.reason.empty()) continue;
        measurement.add(entry.name);
        if (selection) measurement.add(entry.name, selection);
    }
    const double round = measurement.warm_up();
    const int repeats = options.repeats > 0 ? options.repeats : choose_repeats(round);
    {
        simulation::ProgressLine progress(options.quiet || !speaks);
        measurement.run(repeats, [&](int done) {
            if (progress.is_due())
                progress.show(fmt::format("halo: {} of {} exchanges, about {} left", done, repeats,
                                          simulation::format_seconds(round * (repeats - done))));
        });
    }
    std::vector<halo::MeasuredTransport> found = measurement.results();
    std::size_t next = 0;
    for (HaloEntry& entry : entries) {
        if (!entry.reason.empty()) continue;
        entry.whole = std::move(found[next++]);
        if (!selection) continue;
        entry.selected = std::move(found[next++]);
        entry.has_selected = entry.selected.selects;
    }
    const halo::PhaseTime copy = measurement.memcpy_time();
    const Volume volume = measure_volume(*plan, options.bytes(), selection.get());
    nlohmann::json result = volume.json;
    result["cells"] = mesh.global_cells;
    result["layers"] = options.rings();
    result["bytes_per_cell"] = options.bytes();
    result["mesh"] = options.mesh.empty() ? "hexagons " + options.hexagons : options.mesh;
    result["partition"] = options.partition;
    result["mapping"] = options.mapping;
    result["reorder"] = options.reorder;
    result["moved_ranks"] = loaded.report.moved_ranks;
    result["repeats"] = repeats;
    result["baseline"] = halo_baseline;
    result["shared_field"] = measurement.shared_field();
    result["memcpy_bytes"] = measurement.largest_received_bytes();
    result["memcpy_seconds"] = {{"p10", copy.p10}, {"median", copy.median}};
    result["transports"] =
        halo_transports(entries, copy.p10, volume.off_host, volume.selected_off_host.value_or(0));
    result["auto_choice"] = result["auto_selects"] = result["auto_to_best"] = nullptr;
    if (options.transports.empty()) {
        const halo::Measurement::Automatic chosen = measurement.automatic(selection);
        result["auto_choice"] = chosen.name;
        result["auto_selects"] = chosen.selects;
        result["auto_to_best"] = ratio_to_best(entries, chosen);
    }
    const nlohmann::json report = simulation::json_report("halo", comm, 1, result);
    if (speaks) {
        // On standard output a report stands alone.
        if (!options.quiet && options.json != "-") std::cout << halo_table(report["machine"], result);
        if (!options.json.empty()) simulation::write_json(options.json, report);
    }
    const bool all_right = std::all_of(entries.begin(), entries.end(), [](const HaloEntry& entry) {
        return !entry.reason.empty() ||
               (entry.whole.verified && (!entry.has_selected || entry.selected.verified));
    });
    parallel::agree(comm, [&] { GS_ASSERT(all_right); });
    return 0;
}

}  // namespace

Action add_halo(simulation::Command& program) {
    auto options = std::make_shared<HaloOptions>();
    simulation::Command command =
        program.add_command("halo", "time every way to exchange halos on this mesh with these ranks");
    command.footer(
        "Examples: mpirun -n 4 groundswell halo mesh.nc --json halo.json\n"
        "          mpirun -n 2 groundswell halo --hexagons 200x200 --transport point-to-point,shared\n"
        "Pack, wait, unpack and the whole exchange are timed separately; p10 is the 10th percentile of the "
        "exchanges, of the "
        "slowest rank of each.\n"
        "Speed-up over point-to-point (the baseline of Pang et al. 2025) by the mean and the maximum over "
        "ranks of each rank's median.\n"
        "groundswell plot halo halo.json draws it.");
    command.option("mesh", options->mesh, "mesh in MPAS format").type_name("MESH.nc");
    command.option("--hexagons", options->hexagons, "a patch of hexagons in place of a mesh file")
        .type_name("COLUMNSxROWS");
    command
        .option("--transport", options->transports, "transports to time, separated by commas (default: all)")
        .comma_separated();
    command.option("--layers", options->layers, "rings of halo (default: 2; 1 with --selection)")
        .within(1, 2);
    command.option("--directions", options->directions, "directions of a cell").within(4, 720);
    command.option("--frequencies", options->frequencies, "frequencies of a cell").within(3, 200);
    command
        .option("--bytes-per-cell", options->bytes_per_cell,
                "in place of directions x frequencies x bytes of a value")
        .within(1, 10000000);
    command
        .option("--repeats", options->repeats,
                "timed exchanges of each transport (default: as many as take about 5 s)")
        .within(1, 1000000);
    command.flag("--selection", options->selection,
                 "time each transport also with only those directions that first-order upwind reads");
    command.option("--partition", options->partition, "two-level, plain, curve or scattered");
    command.option("--mapping", options->mapping,
                   "auto: plain parts go to ranks such that neighbours share hosts; none: part p to rank p");
    command.flag("--reorder", options->reorder, "let the MPI library give the processes new ranks");
    command.option("--uniform-depth", options->uniform_depth, "m, where the mesh has no bottomDepth")
        .above_zero();
    simulation::add_json_option(command, options->json);
    command.flag("--quiet", options->quiet, "no progress and no table, for --json");
    return [options] {
        const parallel::Environment environment;
        return parallel::run_to_exit_code(environment.comm(),
                                          [&] { return run_halo(environment, *options); });
    };
}

}  // namespace groundswell::cli
