#include "groundswell/sea/mesh/load_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/mesh/voronoi/mesh_file.hpp"
#include "groundswell/mesh/voronoi/parts/part_file.hpp"
#include "groundswell/netcdf/reader.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/cores/finding.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/profile/start_up.hpp"
#include "groundswell/sea/clusters/choice.hpp"
#include "groundswell/sea/propagation/propagator.hpp"

namespace groundswell::sea {

voronoi::LoadOptions load_options(const Case& run) {
    voronoi::LoadOptions options;
    options.read.uniform_depth = run.mesh.uniform_depth;
    options.cull.smallest_sea_share = run.mesh.smallest_sea;
    if (run.mesh.partition != "auto" && run.mesh.partition != "file")
        options.method = graph::partition_method(run.mesh.partition, run.file);
    options.imbalance = run.mesh.imbalance;
    options.map_to_hosts = run.mesh.map_to_hosts;
    options.layers = Propagator::layers(run.propagation.scheme);
    options.reorder = run.halo.reorder;
    if (run.cluster_rate > 1 && run.propagates) {
        options.group = [&run](MPI_Comm comm, const parallel::RowBlocks& blocks,
                               const voronoi::LocalMesh& mesh) {
            return choose_clusters(comm, blocks, mesh, run);
        };
        // Clusters are smaller than the mesh and are cut at once with it, so they get more tolerance.
        options.other_imbalances.assign(most_clusters - 1, std::max(options.imbalance, 0.05));
    }
    return options;
}

namespace {

// Cells of a mesh file that it marks as land (cullCell or landMask 1, maxLevelCell 0, as MPAS has them) although their
// bottomDepth is positive, which alone decides here.
struct MarkedLand {
    std::int64_t cells = 0;
    std::string marks;  ///< the variables, for people
};

constexpr std::size_t piece = 1U << 20;  // cells

struct Mark {
    const char* name;
    std::int32_t land;
};
constexpr Mark marks[] = {{"cullCell", 1}, {"landMask", 1}, {"maxLevelCell", 0}};

// Reads a piece of the file at a time; nothing where it has no such variable. Called by one rank.
MarkedLand find_marked_land(const std::string& path) {
    if (voronoi::has_other_format(path)) return {};  // marks are of MPAS meshes
    const netcdf::Reader file(path, "mesh");
    const auto* depth = file.find("bottomDepth");
    std::vector<std::pair<const netcdf::Reader::Variable*, std::int32_t>> present;
    const auto is_of_cells = [&](const netcdf::Reader::Variable* variable) {
        return variable != nullptr && variable->dimensions.size() == 1 &&
               variable->dimensions[0].name == "nCells" && variable->held == netcdf::Held::int32;
    };
    MarkedLand found;
    for (const Mark& mark : marks)
        if (const auto* variable = file.find(mark.name); is_of_cells(variable)) {
            present.emplace_back(variable, mark.land);
            found.marks += (found.marks.empty() ? "" : ", ") + std::string(mark.name);
        }
    if (present.empty()) return found;
    const std::size_t cells = present[0].first->dimensions[0].length;
    std::vector<std::int32_t> mark;
    std::vector<double> metres;
    for (std::size_t begin = 0; begin < cells; begin += piece) {
        const std::size_t count = std::min(piece, cells - begin);
        std::vector<char> land(count, 0);
        mark.resize(count);
        for (const auto& [variable, value] : present) {
            file.read(*variable, {begin}, {count}, mark.data());
            for (std::size_t i = 0; i < count; ++i) land[i] |= static_cast<char>(mark[i] == value);
        }
        metres.assign(count, 1.0);
        if (depth != nullptr) file.read(*depth, {begin}, {count}, metres.data());
        for (std::size_t i = 0; i < count; ++i) found.cells += land[i] != 0 && metres[i] > 0.0 ? 1 : 0;
    }
    return found;
}

// One rank asks the disk for all.
std::string part_file_of(MPI_Comm comm, const Case& run) {
    const bool needed = run.mesh.partition == "file";
    if ((!needed && run.mesh.partition != "auto") || run.halo.reorder) return "";
    if (!run.mesh.part_file.empty()) return run.mesh.part_file;
    const int ranks = parallel::size_of(comm);
    std::string found = parallel::agree(comm, [&] {
        if (parallel::rank_of(comm) != 0) return std::string();
        std::string path = voronoi::find_part_file(run.mesh.file, ranks);
        base::require(
            !path.empty() || !needed, run.file, "mesh.partition", "file",
            fmt::format(
                "{} (or one of the other names): groundswell partition {} --parts {} --keep writes it",
                voronoi::part_file_names(run.mesh.file, ranks)[0], run.mesh.file, ranks));
        return path;
    });
    parallel::broadcast(comm, found);
    return found;
}

}  // namespace

voronoi::LoadedMesh load_mesh(MPI_Comm comm, const Case& run) {
    const parallel::MemoryHolder holder(parallel::MemoryPart::mesh);
    voronoi::LoadOptions options = load_options(run);
    options.part_file = part_file_of(comm, run);
    voronoi::LoadedMesh loaded = voronoi::load_mesh(comm, run.mesh.file, options);
    const voronoi::LoadReport& report = loaded.report;
    if (loaded.comm.rank() == 0) {
        std::string left_out;
        if (report.cull.land + report.cull.enclosed > 0)
            left_out = fmt::format("; left out: {} on land, {} in {} enclosed waters", report.cull.land,
                                   report.cull.enclosed, report.cull.enclosed_waters);
        base::log_info("mesh {}: {} sea cells{}", run.mesh.file, loaded.mesh.global_cells, left_out);
        if (!options.part_file.empty())
            base::log_info("parts as {} has them, the largest {:.1f} % above the mean", options.part_file,
                           100.0 * report.partition.imbalance);
        if (const MarkedLand marked = find_marked_land(run.mesh.file); marked.cells > 0)
            base::log_warning(
                "{}: {} cells that it marks as land ({}) count as sea: their bottomDepth is positive",
                run.mesh.file, marked.cells, marked.marks);
        if (report.partition.disconnected_parts > 0)
            base::log_warning("{} of {} parts are in several pieces", report.partition.disconnected_parts,
                              loaded.comm.size());
        if (run.halo.reorder)
            base::log_info(
                "halo.reorder: {} moved {} of {} ranks; neighbouring cells on different hosts: {} "
                "pairs, before {}",
                parallel::library().name, report.moved_ranks, loaded.comm.size(),
                report.host_cut_after_reorder, report.partition.host_cut);
    }
    return loaded;
}

}  // namespace groundswell::sea
