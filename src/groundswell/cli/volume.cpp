#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/cli/bathymetry.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/cli/json_report.hpp"
#include "groundswell/cli/progress_line.hpp"
#include "groundswell/mesh/culling.hpp"
#include "groundswell/mesh/mapping.hpp"
#include "groundswell/mesh/mesh_file.hpp"
#include "groundswell/mesh/ordering.hpp"
#include "groundswell/mesh/part_graph.hpp"
#include "groundswell/mesh/partition.hpp"
#include "groundswell/mesh/synthetic.hpp"
#include "groundswell/parallel/profile.hpp"

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

struct Statistic {
    double min = 0.0, mean = 0.0, max = 0.0;
};

// One line of the table.
struct Volume {
    int parts = 0;
    std::string method;
    mesh::PartitionReport report;
    Statistic received_bytes, neighbours;
    double off_host_share = 0.0;
    std::int64_t links = 0, busiest_host_links = 0;
    double seconds = 0.0;
    std::int64_t peak_memory_bytes = 0;
};

Statistic over_parts(const mesh::PartGraph& traffic, auto&& of_part) {
    Statistic found{std::numeric_limits<double>::infinity(), 0.0, 0.0};
    for (int p = 0; p < traffic.parts(); ++p) {
        const auto value = static_cast<double>(of_part(p));
        found.min = std::min(found.min, value);
        found.max = std::max(found.max, value);
        found.mean += value / traffic.parts();
    }
    return found;
}

// Cells of the sea and who is beside whom; everything else of the mesh is let go.
mesh::Graph make_graph(const VolumeOptions& options) {
    mesh::GlobalMesh whole;
    if (options.icosahedron > 0) {
        const mesh::DepthFunction depth = options.bathymetry.empty() ? [](double, double) { return 4000.0; }
                                                                     : read_bathymetry(options.bathymetry);
        whole = mesh::icosahedral(options.icosahedron, depth);
    } else {
        mesh::ReadOptions read;
        if (options.uniform_depth > 0.0) read.uniform_depth = options.uniform_depth;
        whole = mesh::read_mesh(options.mesh, read);
    }
    mesh::CullReport culled;
    whole = mesh::order_along_curve(mesh::cull(std::move(whole), {}, culled));
    if (culled.land + culled.enclosed > 0)
        base::log_info("{} of {} cells are sea", whole.cells(), culled.mesh_cells);
    return mesh::graph_of(whole);
}

// Cuts the graph into one number of parts by one method after the other; the plain cut, which others start
// from, is made once.
class Cutter {
public:
    Cutter(const mesh::Graph& graph, int parts, const VolumeOptions& options)
        : graph_(graph), options_(options) {
        for (int p = 0; p < parts; ++p) host_.push_back(p / options.per_host);
    }

    Volume measure(const std::string& method) {
        const double begin = parallel::now();
        const bool several_hosts = host_.back() > 0;
        if (method == "two-level" && several_hosts)
            return describe(method, cut(mesh::PartitionMethod::two_level), begin, 0.0);
        // On one host two levels are one. The others' seconds are the plain cut's and their own.
        const double cut_before = plain_.part.empty() ? 0.0 : plain_seconds_;
        if (plain_.part.empty()) {
            plain_ = cut(mesh::PartitionMethod::plain);
            plain_seconds_ = parallel::now() - begin;
        }
        mesh::Partition partition = plain_;
        if (method == "scattered") partition.part = mesh::scattered(std::move(partition.part), parts());
        if (method == "mapped") {
            const std::vector<int> rank = mesh::map_parts(
                mesh::graph_of_parts(graph_, partition.part, parts(), options_.layers), host_);
            for (int& p : partition.part) p = rank[p];
        }
        return describe(method, partition, begin, cut_before);
    }

private:
    int parts() const { return static_cast<int>(host_.size()); }

    mesh::Partition cut(mesh::PartitionMethod method) const {
        mesh::PartitionOptions cutting;
        cutting.method = method;
        cutting.imbalance = options_.imbalance;
        cutting.host_of_part = host_;
        return mesh::partition(graph_, parts(), cutting);
    }

    Volume describe(const std::string& method, const mesh::Partition& partition, double begin,
                    double seconds_before) const {
        Volume volume;
        volume.parts = parts();
        volume.method = method;
        volume.report = partition.report;
        volume.seconds = seconds_before + parallel::now() - begin;
        const mesh::PartGraph traffic =
            mesh::graph_of_parts(graph_, partition.part, parts(), options_.layers);
        std::int64_t cells = 0;
        volume.received_bytes = over_parts(traffic, [&](int p) {
            std::int64_t mine = 0;
            for (std::int64_t j = traffic.offset[p]; j < traffic.offset[p + 1]; ++j)
                mine += traffic.received[j];
            cells += mine;
            return static_cast<double>(mine) * options_.bytes_per_cell();
        });
        volume.neighbours =
            over_parts(traffic, [&](int p) { return traffic.offset[p + 1] - traffic.offset[p]; });
        if (cells > 0)
            volume.off_host_share =
                static_cast<double>(mesh::cells_between_hosts(traffic, host_)) / static_cast<double>(cells);
        volume.links = mesh::links(traffic, host_);
        volume.busiest_host_links = mesh::busiest_host_links(traffic, host_);
        volume.peak_memory_bytes = parallel::peak_memory_bytes();
        return volume;
    }

    const mesh::Graph& graph_;
    const VolumeOptions& options_;
    std::vector<int> host_;  // of each part
    mesh::Partition plain_;
    double plain_seconds_ = 0.0;
};

nlohmann::json to_json(const Statistic& statistic, double unit = 1.0) {
    return {{"min", statistic.min / unit}, {"mean", statistic.mean / unit}, {"max", statistic.max / unit}};
}

nlohmann::json to_json(const VolumeOptions& options, std::int32_t cells, const std::vector<Volume>& volumes) {
    nlohmann::json partitions = nlohmann::json::array();
    for (const Volume& volume : volumes)
        partitions.push_back({{"parts", volume.parts},
                              {"method", volume.method},
                              {"imbalance", volume.report.imbalance},
                              {"edge_cut", volume.report.edge_cut},
                              {"disconnected_parts", volume.report.disconnected_parts},
                              {"received_bytes", to_json(volume.received_bytes)},
                              {"received_mib", to_json(volume.received_bytes, mebibyte)},
                              {"neighbours", to_json(volume.neighbours)},
                              {"off_host_share", volume.off_host_share},
                              {"links", volume.links},
                              {"busiest_host_links", volume.busiest_host_links},
                              {"seconds", volume.seconds},
                              {"peak_memory_bytes", volume.peak_memory_bytes}});
    return {{"cells", cells},
            {"layers", options.layers},
            {"directions", options.directions},
            {"frequencies", options.frequencies},
            {"bytes_per_value", options.bytes_per_value},
            {"steps", options.steps},
            {"per_host", options.per_host},
            {"partitions", partitions}};
}

void print(const VolumeOptions& options, std::int32_t cells, const std::vector<Volume>& volumes) {
    std::cout << fmt::format(
        "{} cells, {} layer(s) of halo; MiB that a part receives in {} steps of {} x {} values of {} bytes; "
        "{} parts a host\n",
        cells, options.layers, options.steps, options.directions, options.frequencies,
        options.bytes_per_value, options.per_host);
    std::cout << fmt::format("{:>7} {:<10}{:>11}{:>11}{:>11}{:>12}{:>10}{:>10}{:>9}{:>11}{:>9}\n", "parts",
                             "method", "MiB min", "mean", "max", "neighbours", "off host", "links", "busiest",
                             "imbalance", "seconds");
    for (const Volume& volume : volumes) {
        const Statistic& bytes = volume.received_bytes;
        std::cout << fmt::format(
            "{:>7} {:<10}{:>11.2f}{:>11.2f}{:>11.2f}{:>12.1f}{:>8.1f} %{:>10}{:>9}{:>9.1f} %{:>9.1f}\n",
            volume.parts, volume.method, bytes.min / mebibyte, bytes.mean / mebibyte, bytes.max / mebibyte,
            volume.neighbours.mean, 100.0 * volume.off_host_share, volume.links, volume.busiest_host_links,
            100.0 * volume.report.imbalance, volume.seconds);
    }
    for (const Volume& volume : volumes) {
        if (volume.report.disconnected_parts > 0)
            std::cout << fmt::format("{} of {} parts ({}) are in several pieces\n",
                                     volume.report.disconnected_parts, volume.parts, volume.method);
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
    ProgressLine progress(false);
    const auto tell = [&](const std::string& text) {
        if (progress.is_due()) progress.show(text);
    };
    const mesh::Graph graph = make_graph(options);
    std::vector<Volume> volumes;
    for (const int parts : options.parts) {
        Cutter cutter(graph, parts, options);
        for (const std::string& method : options.methods) {
            tell(fmt::format("{} cells into {} parts, {} ({} of {})", graph.cells(), parts, method,
                             volumes.size() + 1, options.parts.size() * options.methods.size()));
            volumes.push_back(cutter.measure(method));
        }
    }
    progress.finish();
    if (options.json != "-") print(options, graph.cells(), volumes);
    if (!options.json.empty())
        write_json(options.json,
                   json_report("volume", MPI_COMM_NULL, 1, to_json(options, graph.cells(), volumes)));
    return 0;
}

}  // namespace

Action add_volume(CLI::App& program) {
    auto options = std::make_shared<VolumeOptions>();
    CLI::App* command = program.add_subcommand(
        "volume", "what each part of a mesh would receive, for any numbers of parts; needs no MPI");
    command->footer(
        "Example: groundswell volume mesh.nc --parts 8,64,512 --per-host 28\n"
        "         groundswell volume --icosahedron 785 --parts 32768 --json volume.json\n"
        "Bytes: cells x directions x frequencies x bytes x steps (Pang et al. 2025, Geosci. Model Dev. 18,\n"
        "equation 2). plain: METIS' order; two-level: hosts first; scattered: plain parts on random ranks;\n"
        "mapped: plain parts given to ranks such that neighbours share a host.");
    command->add_option("mesh", options->mesh, "mesh in MPAS format")->type_name("MESH.nc");
    command
        ->add_option(
            "--icosahedron", options->icosahedron,
            "in place of a file: the sphere, an icosahedron's edges divided N-fold (10 N^2 + 2 cells)")
        ->check(CLI::Range(1, 5000))
        ->type_name("N");
    command
        ->add_option("--bathymetry", options->bathymetry,
                     "with --icosahedron: cells on land of this latitude/longitude grid are left out")
        ->type_name("FILE.nc");
    command->add_option("--uniform-depth", options->uniform_depth, "m, where the mesh has no bottomDepth")
        ->check(CLI::PositiveNumber);
    command->add_option("--parts", options->parts, "numbers of parts")
        ->delimiter(',')
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    command->add_option("--method", options->methods, "plain, two-level, scattered, mapped")
        ->delimiter(',')
        ->check(CLI::IsMember({"plain", "two-level", "scattered", "mapped"}))
        ->capture_default_str();
    command->add_option("--per-host", options->per_host, "parts on each host")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--layers", options->layers, "rings of halo")
        ->check(CLI::Range(1, 2))
        ->capture_default_str();
    command->add_option("--imbalance", options->imbalance, "largest part over the mean, minus 1")
        ->check(CLI::Range(0.001, 0.5))
        ->capture_default_str();
    command->add_option("--steps", options->steps, "exchanges")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--directions", options->directions, "directions of the spectrum")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--frequencies", options->frequencies, "frequencies of the spectrum")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--bytes-per-value", options->bytes_per_value, "4, or 8 of a double build")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--json", options->json, "also write the report to this file")->type_name("FILE");
    return [options] { return measure_volumes(*options); };
}

}  // namespace groundswell::cli
