#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "groundswell/cli/command.hpp"
#include "groundswell/graph/partition.hpp"
#include "groundswell/mesh/voronoi/culling.hpp"
#include "groundswell/mesh/voronoi/mesh_file.hpp"
#include "groundswell/mesh/voronoi/ordering.hpp"
#include "groundswell/mesh/voronoi/parts/part_file.hpp"
#include "groundswell/output/disk/target.hpp"
#include "groundswell/output/file.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/simulation/build_report.hpp"
#include "groundswell/simulation/report/json_report.hpp"

namespace groundswell::cli {

namespace {

struct PartitionCommand {
    std::string mesh, output, json, method = "two-level", mapping = "auto";
    int parts = 2, per_host = 0, layers = 2;
    double imbalance = 0.02;
    double uniform_depth = 0.0;
    bool overwrite = false, keep = false;
};

// The part of every cell of the mesh file; -1 where it is not sea.
struct PartitionedMesh {
    std::vector<std::int32_t> part;
    std::uint64_t graph = 0;  // voronoi::sum_of_graph of the file
    std::int64_t sea_cells = 0;
    graph::PartitionReport report;
};

PartitionedMesh cut(const PartitionCommand& command) {
    voronoi::ReadOptions read;
    if (command.uniform_depth > 0.0) read.uniform_depth = command.uniform_depth;
    voronoi::GlobalMesh whole = voronoi::read_mesh(command.mesh, read);
    PartitionedMesh result;
    result.part.assign(whole.cells(), -1);
    result.graph = voronoi::sum_of_graph(whole, 0);
    voronoi::CullReport culled;
    const voronoi::GlobalMesh sea = voronoi::order_along_curve(voronoi::cull(std::move(whole), {}, culled));
    graph::PartitionOptions options;
    options.method = graph::partition_method(command.method, "command line", "--method");
    options.imbalance = command.imbalance;
    options.map_to_hosts = command.mapping == "auto";
    options.layers = command.layers;
    if (command.per_host > 0)
        for (int part = 0; part < command.parts; ++part)
            options.host_of_part.push_back(part / command.per_host);
    const graph::Partition partition = graph::partition(voronoi::graph_of(sea), command.parts, options);
    result.sea_cells = sea.cells();
    result.report = partition.report;
    for (std::size_t cell = 0; cell < partition.part.size(); ++cell)
        result.part[sea.mesh_cell[cell] - 1] = partition.part[cell];
    return result;
}

// As METIS writes them: a part for each cell of the file, so land goes to part 0, where nothing of it is computed.
void write_text(const std::string& path, const PartitionedMesh& result) {
    fmt::memory_buffer lines;
    for (const std::int32_t part : result.part)
        fmt::format_to(std::back_inserter(lines), "{}\n", std::max(part, 0));
    simulation::replace_file(path, {lines.data(), lines.size()});
}

void write_parts(MPI_Comm comm, const PartitionCommand& command, const PartitionedMesh& result) {
    if (!voronoi::is_netcdf_part_file(command.output))
        return parallel::agree(comm, [&] {
            if (parallel::rank_of(comm) == 0) write_text(command.output, result);
        });
    output::Schema schema;
    schema.dimensions = {{"nCells", static_cast<std::int64_t>(result.part.size()), false}};
    schema.variables = {{"part",
                         output::Type::int32,
                         {"nCells"},
                         {{"long_name", "part of the partition, -1 where the cell is land"}}}};
    schema.attributes = {{"title", "partition of " + command.mesh},
                         {"parts", std::int32_t{command.parts}},
                         {"graph", fmt::format("{:016x}", result.graph)},
                         {simulation::build_attribute, simulation::build_text()}};
    output::File file = output::File::create(comm, command.output, schema, {"serial", command.overwrite, {}});
    file.write_fixed(output::replicated<std::int32_t>("part", result.part));
    file.close();
}

int run_partition(const parallel::Environment& environment, PartitionCommand command) {
    const MPI_Comm comm = environment.comm();
    if (command.keep && command.output.empty())
        command.output = voronoi::part_file_names(command.mesh, command.parts)[0];
    const PartitionedMesh result = parallel::agree(comm, [&] {
        if (!command.output.empty()) output::check_target(command.output, command.overwrite, {command.mesh});
        simulation::check_json_target(command.json, {command.mesh, command.output});
        return cut(command);
    });
    const graph::PartitionReport& report = result.report;
    if (!command.output.empty()) write_parts(comm, command, result);
    const nlohmann::json json = simulation::json_report("partition", comm, 1,
                                                        {{"cells", result.sea_cells},
                                                         {"parts", command.parts},
                                                         {"method", std::string(graph::name(report.method))},
                                                         {"mapped", report.mapped},
                                                         {"imbalance", report.imbalance},
                                                         {"edge_cut", report.edge_cut},
                                                         {"host_cut", report.host_cut},
                                                         {"disconnected_parts", report.disconnected_parts},
                                                         {"empty_parts", report.empty_parts},
                                                         {"seconds", report.seconds},
                                                         {"file", command.output}});
    if (environment.rank() != 0) return 0;
    std::cout << fmt::format(
        "sea cells            {}\nparts                {} ({})\nimbalance            {:.2f} %\nedges cut     "
        "       {}, between hosts {}\nparts in pieces      {}\nparts without cells  {}\nseconds              "
        "{:.3f}\n",
        result.sea_cells, command.parts, report.mapped ? "plain, mapped" : graph::name(report.method),
        100.0 * report.imbalance, report.edge_cut, report.host_cut, report.disconnected_parts,
        report.empty_parts, report.seconds);
    if (!command.output.empty()) std::cout << fmt::format("file                 {}\n", command.output);
    if (!command.json.empty()) simulation::write_json(command.json, json);
    return 0;
}

}  // namespace

Action add_partition(simulation::Command command) {
    auto options = std::make_shared<PartitionCommand>();
    command.footer(
        "Example: groundswell partition mesh.nc --parts 4096 --per-host 128 --keep\n"
        "This is the cut that a run with as many ranks makes at its start; with --keep it stands beside the "
        "mesh, in mesh.part.4096.nc, where runs on as many ranks find it and need not cut. groundswell plot "
        "mesh mesh.nc --parts mesh.part.4096.nc draws it.");
    command.option("mesh", options->mesh, "mesh in MPAS format").required().type_name("MESH.nc");
    command.option("--parts", options->parts, "number of parts").within(1, 1000000);
    command.option("--method", options->method, "two-level, plain, curve or scattered");
    command.option("--per-host", options->per_host, "ranks on each host (two-level cuts into hosts first)")
        .above_zero();
    command
        .option("--mapping", options->mapping,
                "auto: plain parts on several hosts are numbered such that neighbours share a host; none")
        .one_of({"auto", "none"});
    command.option("--layers", options->layers, "rings of halo that the mapping counts").within(1, 2);
    command.option("--imbalance", options->imbalance, "largest part over the mean, minus 1")
        .within(0.001, 0.5);
    command.option("--uniform-depth", options->uniform_depth, "m, where the mesh has no bottomDepth")
        .above_zero();
    command.flag("--keep", options->keep,
                 "write the part of every cell into the file beside the mesh that runs look for");
    command
        .option("--output", options->output,
                "write it into this file: NetCDF if it ends in .nc, else text as METIS and MPAS have it, as "
                "in graph.info.part.64")
        .type_name("FILE");
    command.flag("--overwrite", options->overwrite, "replace the file if it exists");
    simulation::add_json_option(command, options->json);
    return together([options](const auto& environment) { return run_partition(environment, *options); });
}

}  // namespace groundswell::cli
