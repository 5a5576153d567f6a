#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/cli/bathymetry.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/cli/ground/parts.hpp"
#include "groundswell/cli/report/volume_report.hpp"
#include "groundswell/mesh/tetra/slab.hpp"
#include "groundswell/mesh/voronoi/culling.hpp"
#include "groundswell/mesh/voronoi/mesh_file.hpp"
#include "groundswell/mesh/voronoi/ordering.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"
#include "groundswell/output/disk/target.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/simulation/report/json_report.hpp"
#include "groundswell/simulation/report/progress_line.hpp"

namespace groundswell::cli {

namespace {

struct VolumeOptions {
    GroundOptions ground;
    std::string bathymetry, matrix, json;
    int icosahedron = 0;
    double uniform_depth = 0.0, imbalance = 0.02;
    std::vector<int> parts{8, 64, 512};
    std::vector<std::string> methods{"plain", "two-level", "scattered"};
    int layers = 2, steps = 0, per_host = 28;
    int directions = 36, frequencies = 35, bytes_per_value = 4;
    GivenOptions of_cells, of_tetrahedra;  // those that only such meshes have
};

// What is cut, what one thing that parts receive weighs, and how it is told.
struct Subject {
    CutMesh mesh;
    double bytes = 0.0;
    nlohmann::json about;
    std::string head;
};

// Cells of the sea and who is beside whom; everything else of the mesh is let go.
graph::Graph make_graph(const VolumeOptions& options) {
    voronoi::GlobalMesh whole;
    if (options.icosahedron > 0) {
        const voronoi::DepthFunction depth = options.bathymetry.empty()
                                                 ? [](double, double) { return 4000.0; }
                                                 : read_bathymetry(options.bathymetry);
        whole = voronoi::icosahedral(options.icosahedron, depth);
    } else {
        voronoi::ReadOptions read;
        if (options.uniform_depth > 0.0) read.uniform_depth = options.uniform_depth;
        whole = voronoi::read_mesh(options.ground.mesh, read);
    }
    voronoi::CullReport culled;
    whole = voronoi::order_along_curve(voronoi::cull(std::move(whole), {}, culled));
    if (culled.land + culled.enclosed > 0)
        base::log_info("{} of {} cells are sea", whole.cells(), culled.mesh_cells);
    return voronoi::graph_of(whole);
}

Subject subject_of_cells(const VolumeOptions& options) {
    Subject subject;
    subject.mesh.graph = make_graph(options);
    subject.mesh.layers = options.layers;
    const std::int32_t cells = subject.mesh.graph.cells();
    const int steps = options.steps > 0 ? options.steps : 60;
    subject.bytes =
        static_cast<double>(options.directions) * options.frequencies * options.bytes_per_value * steps;
    subject.about = {{"cells", cells},
                     {"layers", options.layers},
                     {"directions", options.directions},
                     {"frequencies", options.frequencies},
                     {"bytes_per_value", options.bytes_per_value},
                     {"steps", steps}};
    subject.head = fmt::format(
        "{} cells, {} layer(s) of halo; MiB that a part receives in {} steps of {} x {} values of {} bytes; ",
        cells, options.layers, steps, options.directions, options.frequencies, options.bytes_per_value);
    return subject;
}

// Number of fault faces of each cluster; both sides of a face are in one cluster.
std::vector<std::int64_t> fault_faces_of(const Ground& ground, const quake::Clusters& clusters) {
    std::vector<std::int64_t> sides(clusters.cells.size(), 0);
    for (std::size_t c = 0; c < ground.slab.cell.size(); ++c)
        sides[clusters.of[c]] += std::ranges::count_if(ground.slab.cell[c].boundary, tetra::is_fault);
    for (std::int64_t& count : sides) count /= 2;
    return sides;
}

Subject subject_of_ground(const VolumeOptions& options) {
    const GroundRequest request = request_of(options.ground, models());
    parallel::SparseExchange exchange(MPI_COMM_SELF);
    const Ground ground = read_ground(MPI_COMM_SELF, exchange, request);
    const quake::Clusters clusters = quake::choose_clusters(MPI_COMM_SELF, exchange, ground.slab,
                                                            ground.neighbours, ground.step, request.clusters);
    const int steps = options.steps > 0 ? options.steps : 1;
    const std::size_t side = bytes_of_side(request);
    Subject subject{cut_mesh_of(request, ground, clusters), static_cast<double>(side) * steps, {}, {}};
    subject.about = {{"mesh", request.mesh_name()},
                     {"cells", ground.slab.blocks.rows},
                     {"order", request.order},
                     {"precision", request.precision},
                     {"bytes_per_face", side},
                     {"clusters",
                      {{"rate", clusters.rate},
                       {"cells", clusters.cells},
                       {"fault_faces", fault_faces_of(ground, clusters)}}},
                     {"step_seconds", quake::meeting_seconds(clusters)},
                     {"steps", steps}};
    subject.head = fmt::format(
        "{} tetrahedra in {} cluster(s), order {}, {}; MiB that a part receives in {} step(s) of {:.4g} s, "
        "in which all clusters come to meet: {} bytes for each face and update; ",
        ground.slab.blocks.rows, clusters.cells.size(), request.order, request.precision, steps,
        quake::meeting_seconds(clusters), side);
    return subject;
}

void check_source(const VolumeOptions& options) {
    const std::string& mesh = options.ground.mesh;
    base::require(mesh.empty() != (options.icosahedron == 0), "command line", "volume", mesh,
                  "a mesh file, or --icosahedron N in its place");
    base::require(options.bathymetry.empty() || options.icosahedron > 0, "command line", "--bathymetry",
                  options.bathymetry, "--icosahedron N; a mesh file has its own depths");
}

int measure_parts(const VolumeOptions& options, Subject subject) {
    simulation::ProgressLine progress(false);
    std::vector<PartTraffic> measured;
    for (const int parts : options.parts) {
        Cutter cutter(subject.mesh, parts, options.per_host, options.imbalance, !options.matrix.empty());
        for (const std::string& method : options.methods) {
            if (progress.is_due())
                progress.show(fmt::format("{} cells into {} parts, {} ({} of {})", subject.mesh.graph.cells(),
                                          parts, method, measured.size() + 1,
                                          options.parts.size() * options.methods.size()));
            measured.push_back(cutter.measure(method));
        }
    }
    progress.finish();
    if (!options.matrix.empty()) write_matrix(options.matrix, measured);
    if (options.json != "-")
        std::cout << fmt::format("{}{} parts a host\n", subject.head, options.per_host)
                  << volume_table(measured, subject.bytes) << std::flush;
    if (options.json.empty()) return 0;
    subject.about["per_host"] = options.per_host;
    subject.about["partitions"] = partitions_json(measured, subject.bytes);
    simulation::write_json(options.json, simulation::json_report("volume", MPI_COMM_NULL, 1, subject.about));
    return 0;
}

int measure_volumes(const VolumeOptions& options) {
    const GroundOptions& ground = options.ground;
    const bool tetrahedra = !ground.case_file.empty() || tetra::is_tetrahedra(ground.mesh);
    if (!tetrahedra) {
        check_source(options);
        options.of_tetrahedra.refuse(
            "--directions, --frequencies and --bytes-per-value: this is no mesh of tetrahedra");
    } else {
        options.of_cells.refuse(
            "--order and --precision: the mesh is one of tetrahedra, in which earthquakes run");
    }
    const std::vector<std::string> taken{ground.mesh, options.bathymetry, ground.case_file};
    simulation::check_json_target(options.json, taken);
    if (!options.matrix.empty()) {
        base::require(options.json.empty() || !output::is_same_file(options.matrix, options.json),
                      "command line", "--matrix", options.matrix, "another file than that of --json");
        output::check_target(options.matrix, true, taken);
    }
    if (!tetrahedra) return measure_parts(options, subject_of_cells(options));
    // These meshes are read through MPI, by one rank here.
    const parallel::Environment environment;
    return parallel::run_to_exit_code(environment.comm(), [&] {
        if (environment.rank() > 0) return 0;
        return parallel::agree(MPI_COMM_SELF,
                               [&] { return measure_parts(options, subject_of_ground(options)); });
    });
}

}  // namespace

Action add_volume(simulation::Command command) {
    auto options = std::make_shared<VolumeOptions>();
    command.footer(
        "Example: groundswell volume mesh.nc --parts 8,64,512 --per-host 28\n"
        "         groundswell volume ground.msh --order 5 --method curve\n"
        "         groundswell volume --icosahedron 785 --parts 32768 --json volume.json\n"
        "Bytes: cells x directions x frequencies x bytes x steps (Pang et al. 2025, Geosci. Model Dev. 18,\n"
        "equation 2). Of tetrahedra: what elements read of each other through faces, once for each update, "
        "as\n"
        "clusters have them; a step is that of the coarsest cluster. plain: METIS' order; two-level: hosts "
        "first; curve: stretches of a curve;\n"
        "scattered: plain parts on random ranks; mapped: plain parts given to ranks such that neighbours "
        "share a host.");
    command
        .option("mesh", options->ground.mesh,
                "mesh in MPAS format, or of tetrahedra: PUML (HDF5) or Gmsh (4.1, 2.2)")
        .type_name("MESH");
    add_ground_options(command, options->ground, options->of_tetrahedra);
    add_precision_option(command, options->ground, options->of_tetrahedra);
    const auto of_cells = [&](const char* name, auto& target, const std::string& help) {
        return options->of_cells.watch(command.option(name, target, help), name);
    };
    of_cells("--icosahedron", options->icosahedron,
             "in place of a file: the sphere, an icosahedron's edges divided N-fold (10 N^2 + 2 cells)")
        .within(1, 5000)
        .type_name("N");
    of_cells("--bathymetry", options->bathymetry,
             "with --icosahedron: cells on land of this latitude/longitude grid are left out")
        .type_name("FILE.nc");
    of_cells("--uniform-depth", options->uniform_depth, "m, where the mesh has no bottomDepth").above_zero();
    command.option("--parts", options->parts, "numbers of parts")
        .comma_separated()
        .within(1, 1000000)
        .shows_default();
    command.option("--method", options->methods, "plain, two-level, curve, scattered, mapped")
        .comma_separated()
        .one_of({"plain", "two-level", "curve", "scattered", "mapped"})
        .shows_default();
    command.option("--per-host", options->per_host, "parts on each host").above_zero().shows_default();
    of_cells("--layers", options->layers, "rings of halo").within(1, 2).shows_default();
    command.option("--imbalance", options->imbalance, "largest part over the mean, minus 1")
        .within(0.001, 0.5)
        .shows_default();
    command
        .option("--steps", options->steps,
                "exchanges (default 60; of tetrahedra 1, in which all clusters come to meet)")
        .above_zero();
    of_cells("--directions", options->directions, "directions of the spectrum").above_zero().shows_default();
    of_cells("--frequencies", options->frequencies, "frequencies of the spectrum")
        .above_zero()
        .shows_default();
    of_cells("--bytes-per-value", options->bytes_per_value, "4, or 8 of a double build")
        .above_zero()
        .shows_default();
    command
        .option(
            "--matrix", options->matrix,
            "also write what each part receives of each other, and its own work, as comma-separated values")
        .type_name("FILE.csv");
    simulation::add_json_option(command, options->json);
    return [options] { return measure_volumes(*options); };
}

}  // namespace groundswell::cli
