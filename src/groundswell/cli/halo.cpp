#include <charconv>
#include <memory>
#include <string>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/cli/ground/parts.hpp"
#include "groundswell/cli/halo/measure.hpp"
#include "groundswell/mesh/tetra/slab.hpp"
#include "groundswell/mesh/voronoi/load.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/sea/halo_exchange.hpp"
#include "groundswell/sea/propagation/propagator.hpp"
#include "groundswell/sea/real.hpp"
#include "groundswell/simulation/report/json_report.hpp"

namespace groundswell::cli {

namespace {

constexpr const char* command_line = "command line";

struct HaloOptions {
    GroundOptions ground;
    HaloMeasure measure;
    std::string hexagons, partition = "two-level", mapping = "auto";
    int layers = 0, directions = 36, frequencies = 35;
    std::int64_t bytes_per_cell = 0;
    double uniform_depth = 0.0;
    bool selection = false, reorder = false;
    GivenOptions of_cells, of_tetrahedra;  // those that only such meshes have

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
    check_transports(options.measure);
    const std::string& mesh = options.ground.mesh;
    base::require(mesh.empty() != options.hexagons.empty(), command_line, "MESH.nc", mesh,
                  "a mesh file or --hexagons, one of the two");
    options.of_tetrahedra.refuse(
        "--directions, --frequencies or --bytes-per-cell: this is no mesh of tetrahedra");
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

void check_ground_options(const HaloOptions& options) {
    check_transports(options.measure);
    const std::string cure =
        "--order and --precision: the mesh is one of tetrahedra, dealt out along a curve";
    options.of_cells.refuse(cure);
    base::require(!options.selection, command_line, "--selection", "", cure);
    base::require(!options.reorder, command_line, "--reorder", "", cure);
}

voronoi::LoadedMesh load(MPI_Comm comm, const HaloOptions& options) {
    voronoi::LoadOptions load;
    load.layers = options.rings();
    load.method = graph::partition_method(options.partition);
    load.map_to_hosts = options.mapping == "auto";
    load.reorder = options.reorder;
    if (options.uniform_depth > 0.0) load.read.uniform_depth = options.uniform_depth;
    if (options.hexagons.empty()) return voronoi::load_mesh(comm, options.ground.mesh, load);
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

HaloSubject subject_of_cells(MPI_Comm comm, const HaloOptions& options) {
    voronoi::LoadedMesh loaded = load(comm, options);
    const voronoi::LocalMesh& mesh = loaded.mesh;
    HaloSubject subject;
    subject.comm = std::move(loaded.comm);
    subject.plan = std::make_shared<const halo::Plan>(subject.comm.get(), mesh.owned_ids(), mesh.halo_ids());
    subject.ids = mesh.id;
    subject.bytes = options.bytes();
    if (options.selection) subject.selection = needed_directions(subject.comm.get(), mesh, options);
    subject.about = {
        {"cells", mesh.global_cells},
        {"layers", options.rings()},
        {"bytes_per_cell", options.bytes()},
        {"mesh", options.hexagons.empty() ? options.ground.mesh : "hexagons " + options.hexagons},
        {"partition", options.partition},
        {"mapping", options.mapping},
        {"reorder", options.reorder},
        {"moved_ranks", loaded.report.moved_ranks}};
    return subject;
}

HaloSubject subject_of_ground(MPI_Comm comm, const HaloOptions& options) {
    const GroundRequest request = parallel::agree(comm, [&] { return request_of(options.ground, models()); });
    parallel::SparseExchange exchange(comm);
    const Ground ground = read_ground(comm, exchange, request);
    const quake::Clusters clusters =
        quake::choose_clusters(comm, exchange, ground.slab, ground.neighbours, ground.step, request.clusters);
    HaloSubject subject;
    subject.comm = parallel::Communicator::duplicate(comm);
    SidePlan sides = plan_of_sides(subject.comm.get(), exchange, request, ground, clusters);
    subject.plan = std::move(sides.plan);
    subject.ids = std::move(sides.ids);
    subject.bytes = bytes_of_side(request);
    subject.about = {{"cells", ground.slab.blocks.rows},
                     {"order", request.order},
                     {"precision", request.precision},
                     {"bytes_per_face", subject.bytes},
                     {"clusters", {{"rate", clusters.rate}, {"cells", clusters.cells}}},
                     {"mesh", request.mesh_name()},
                     {"partition", "curve"},
                     {"mapping", "none"},
                     {"reorder", false},
                     {"moved_ranks", 0}};
    return subject;
}

int run_halo(const parallel::Environment& environment, const HaloOptions& options) {
    const MPI_Comm comm = environment.comm();
    const bool has_case = !options.ground.case_file.empty();
    // One rank looks at the file.
    const bool tetrahedra =
        parallel::max(comm, std::int64_t{environment.rank() == 0 &&
                                         (has_case || tetra::is_tetrahedra(options.ground.mesh))}) != 0;
    parallel::agree(comm, [&] {
        if (tetrahedra)
            check_ground_options(options);
        else
            check_options(options);
        if (environment.rank() == 0)
            simulation::check_json_target(options.measure.json,
                                          {options.ground.mesh, options.ground.case_file});
    });
    if (options.measure.quiet) base::set_message_level(base::MessageLevel::warning);
    return measure_halo(tetrahedra ? subject_of_ground(comm, options) : subject_of_cells(comm, options),
                        options.measure);
}

}  // namespace

Action add_halo(simulation::Command command) {
    auto options = std::make_shared<HaloOptions>();
    command.footer(
        "Examples: mpirun -n 4 groundswell halo mesh.nc --json halo.json\n"
        "          mpirun -n 4 groundswell halo ground.msh --order 5 --precision float\n"
        "          mpirun -n 2 groundswell halo --hexagons 200x200 --transport point-to-point,shared\n"
        "Pack, wait, unpack and the whole exchange are timed separately; p10 is the 10th percentile of the "
        "exchanges, of the slowest rank of each.\n"
        "Speed-up over point-to-point (the baseline of Pang et al. 2025) by the mean and the maximum over "
        "ranks of each rank's median.\n"
        "Of tetrahedra, which are dealt out as an earthquake run does it: one exchange brings all sides of "
        "faces that ranks read of each other when all clusters step at once.\n"
        "groundswell plot halo halo.json draws it.");
    HaloMeasure& measure = options->measure;
    command
        .option("mesh", options->ground.mesh,
                "mesh in MPAS format, or of tetrahedra: PUML (HDF5) or Gmsh (4.1, 2.2)")
        .type_name("MESH");
    add_ground_options(command, options->ground, options->of_tetrahedra);
    add_precision_option(command, options->ground, options->of_tetrahedra);
    const auto of_cells = [&](const char* name, auto& target, const std::string& help) {
        return options->of_cells.watch(command.option(name, target, help), name);
    };
    of_cells("--hexagons", options->hexagons, "a patch of hexagons in place of a mesh file")
        .type_name("COLUMNSxROWS");
    command
        .option("--transport", measure.transports, "transports to time, separated by commas (default: all)")
        .comma_separated();
    of_cells("--layers", options->layers, "rings of halo (default: 2; 1 with --selection)").within(1, 2);
    of_cells("--directions", options->directions, "directions of a cell").within(4, 720);
    of_cells("--frequencies", options->frequencies, "frequencies of a cell").within(3, 200);
    of_cells("--bytes-per-cell", options->bytes_per_cell,
             "in place of directions x frequencies x bytes of a value")
        .within(1, 10000000);
    command
        .option("--repeats", measure.repeats,
                "timed exchanges of each transport (default: as many as take about 5 s)")
        .within(1, 1000000);
    command.flag("--selection", options->selection,
                 "time each transport also with only those directions that first-order upwind reads");
    of_cells("--partition", options->partition, "two-level, plain, curve or scattered");
    of_cells("--mapping", options->mapping,
             "auto: plain parts go to ranks such that neighbours share hosts; none: part p to rank p");
    command.flag("--reorder", options->reorder, "let the MPI library give the processes new ranks");
    of_cells("--uniform-depth", options->uniform_depth, "m, where the mesh has no bottomDepth").above_zero();
    simulation::add_json_option(command, measure.json);
    command.flag("--quiet", measure.quiet, "no progress and no table, for --json");
    return together([options](const auto& environment) { return run_halo(environment, *options); });
}

}  // namespace groundswell::cli
