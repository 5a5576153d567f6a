#include "groundswell/sea/mesh/load_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/mesh/voronoi/marked_land.hpp"
#include "groundswell/mesh/voronoi/parts/part_file.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/cores/finding.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/profile/held_memory.hpp"
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
        if (const voronoi::MarkedLand marked = voronoi::find_marked_land(run.mesh.file); marked.cells > 0)
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
