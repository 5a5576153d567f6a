#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/cli/bathymetry.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/cli/report/part_traffic.hpp"
#include "groundswell/graph/partition.hpp"
#include "groundswell/mesh/voronoi/culling.hpp"
#include "groundswell/mesh/voronoi/mpas/mesh_file.hpp"
#include "groundswell/mesh/voronoi/ordering.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"
#include "groundswell/simulation/report/json_report.hpp"
#include "groundswell/simulation/report/progress_line.hpp"

namespace groundswell::cli {

namespace {

constexpr double mebibyte = 1024.0 * 1024.0;

struct VolumeOptions {
    std::string mesh, bathymetry, json;
    int icosahedron = 0;
    double uniform_depth = 0.0, imbalance = 0.02;
    std::vector<int> parts{8, 64, 512};
    std::vector<std::string> methods{"plain", "two-level", "scattered"};
    int layers = 2, steps = 60, per_host = 28;
    int directions = 36, frequencies = 35, bytes_per_value = 4;

    double bytes_per_cell() const {
        return static_cast<double>(directions) * frequencies * bytes_per_value * steps;
    }
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
        whole = voronoi::read_mesh(options.mesh, read);
    }
    voronoi::CullReport culled;
    whole = voronoi::order_along_curve(voronoi::cull(std::move(whole), {}, culled));
    if (culled.land + culled.enclosed > 0)
        base::log_info("{} of {} cells are sea", whole.cells(), culled.mesh_cells);
    return voronoi::graph_of(whole);
}

nlohmann::json to_json(const VolumeOptions& options, std::int32_t cells,
                       const std::vector<PartTraffic>& measured) {
    nlohmann::json partitions = nlohmann::json::array();
    for (const PartTraffic& traffic : measured)
        partitions.push_back(
            {{"parts", traffic.parts},
             {"method", traffic.method},
             {"imbalance", traffic.report.imbalance},
             {"edge_cut", traffic.report.edge_cut},
             {"disconnected_parts", traffic.report.disconnected_parts},
             {"received_bytes", simulation::statistic_json(traffic.received_cells, options.bytes_per_cell())},
             {"received_mib",
              simulation::statistic_json(traffic.received_cells, options.bytes_per_cell() / mebibyte)},
             {"neighbours", simulation::statistic_json(traffic.neighbours)},
             {"off_host_share", traffic.off_host_share},
             {"links", traffic.links},
             {"busiest_host_links", traffic.busiest_host_links},
             {"seconds", traffic.seconds},
             {"peak_memory_bytes", traffic.peak_memory_bytes}});
    return {{"cells", cells},
            {"layers", options.layers},
            {"directions", options.directions},
            {"frequencies", options.frequencies},
            {"bytes_per_value", options.bytes_per_value},
            {"steps", options.steps},
            {"per_host", options.per_host},
            {"partitions", partitions}};
}

void print(const VolumeOptions& options, std::int32_t cells, const std::vector<PartTraffic>& measured) {
    std::cout << fmt::format(
        "{} cells, {} layer(s) of halo; MiB that a part receives in {} steps of {} x {} values of {} bytes; "
        "{} parts a host\n",
        cells, options.layers, options.steps, options.directions, options.frequencies,
        options.bytes_per_value, options.per_host);
    std::cout << fmt::format("{:>7} {:<10}{:>11}{:>11}{:>11}{:>12}{:>10}{:>10}{:>9}{:>11}{:>9}\n", "parts",
                             "method", "MiB min", "mean", "max", "neighbours", "off host", "links", "busiest",
                             "imbalance", "seconds");
    const double unit = options.bytes_per_cell() / mebibyte;
    for (const PartTraffic& traffic : measured) {
        const parallel::Statistic& cells_in = traffic.received_cells;
        std::cout << fmt::format(
            "{:>7} {:<10}{:>11.2f}{:>11.2f}{:>11.2f}{:>12.1f}{:>8.1f} %{:>10}{:>9}{:>9.1f} %{:>9.1f}\n",
            traffic.parts, traffic.method, cells_in.min * unit, cells_in.mean * unit, cells_in.max * unit,
            traffic.neighbours.mean, 100.0 * traffic.off_host_share, traffic.links,
            traffic.busiest_host_links, 100.0 * traffic.report.imbalance, traffic.seconds);
    }
    for (const PartTraffic& traffic : measured) {
        if (traffic.report.disconnected_parts > 0)
            std::cout << fmt::format("{} of {} parts ({}) are in several pieces\n",
                                     traffic.report.disconnected_parts, traffic.parts, traffic.method);
    }
    std::cout << std::flush;
}

void check_source(const VolumeOptions& options) {
    base::require(options.mesh.empty() != (options.icosahedron == 0), "command line", "volume", options.mesh,
                  "a mesh file, or --icosahedron N in its place");
    base::require(options.bathymetry.empty() || options.icosahedron > 0, "command line", "--bathymetry",
                  options.bathymetry, "--icosahedron N; a mesh file has its own depths");
}

int measure_volumes(const VolumeOptions& options) {
    check_source(options);
    simulation::check_json_target(options.json, {options.mesh, options.bathymetry});
    simulation::ProgressLine progress(false);
    const auto tell = [&](const std::string& text) {
        if (progress.is_due()) progress.show(text);
    };
    const graph::Graph graph = make_graph(options);
    std::vector<PartTraffic> measured;
    for (const int parts : options.parts) {
        Cutter cutter(graph, parts, options.per_host, options.layers, options.imbalance);
        for (const std::string& method : options.methods) {
            tell(fmt::format("{} cells into {} parts, {} ({} of {})", graph.cells(), parts, method,
                             measured.size() + 1, options.parts.size() * options.methods.size()));
            measured.push_back(cutter.measure(method));
        }
    }
    progress.finish();
    if (options.json != "-") print(options, graph.cells(), measured);
    if (!options.json.empty())
        simulation::write_json(
            options.json,
            simulation::json_report("volume", MPI_COMM_NULL, 1, to_json(options, graph.cells(), measured)));
    return 0;
}

}  // namespace

Action add_volume(simulation::Command& program) {
    auto options = std::make_shared<VolumeOptions>();
    simulation::Command command = program.add_command(
        "volume", "show what each part of a mesh would receive, for any number of parts; needs no MPI");
    command.footer(
        "Example: groundswell volume mesh.nc --parts 8,64,512 --per-host 28\n"
        "         groundswell volume --icosahedron 785 --parts 32768 --json volume.json\n"
        "Bytes: cells x directions x frequencies x bytes x steps (Pang et al. 2025, Geosci. Model Dev. 18,\n"
        "equation 2). plain: METIS' order; two-level: hosts first; curve: stretches of a curve;\n"
        "scattered: plain parts on random ranks; mapped: plain parts given to ranks such that neighbours "
        "share a host.");
    command.option("mesh", options->mesh, "mesh in MPAS format").type_name("MESH.nc");
    command
        .option("--icosahedron", options->icosahedron,
                "in place of a file: the sphere, an icosahedron's edges divided N-fold (10 N^2 + 2 cells)")
        .within(1, 5000)
        .type_name("N");
    command
        .option("--bathymetry", options->bathymetry,
                "with --icosahedron: cells on land of this latitude/longitude grid are left out")
        .type_name("FILE.nc");
    command.option("--uniform-depth", options->uniform_depth, "m, where the mesh has no bottomDepth")
        .above_zero();
    command.option("--parts", options->parts, "numbers of parts")
        .comma_separated()
        .within(1, 1000000)
        .shows_default();
    command.option("--method", options->methods, "plain, two-level, curve, scattered, mapped")
        .comma_separated()
        .one_of({"plain", "two-level", "curve", "scattered", "mapped"})
        .shows_default();
    command.option("--per-host", options->per_host, "parts on each host").above_zero().shows_default();
    command.option("--layers", options->layers, "rings of halo").within(1, 2).shows_default();
    command.option("--imbalance", options->imbalance, "largest part over the mean, minus 1")
        .within(0.001, 0.5)
        .shows_default();
    command.option("--steps", options->steps, "exchanges").above_zero().shows_default();
    command.option("--directions", options->directions, "directions of the spectrum")
        .above_zero()
        .shows_default();
    command.option("--frequencies", options->frequencies, "frequencies of the spectrum")
        .above_zero()
        .shows_default();
    command.option("--bytes-per-value", options->bytes_per_value, "4, or 8 of a double build")
        .above_zero()
        .shows_default();
    simulation::add_json_option(command, options->json);
    return [options] { return measure_volumes(*options); };
}

}  // namespace groundswell::cli
