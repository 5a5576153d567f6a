#include "groundswell/sea/load_mesh.hpp"

#include <fmt/format.h>

#include <string>

#include "groundswell/base/log.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/profile/held_memory.hpp"
#include "groundswell/sea/propagation/propagator.hpp"

namespace groundswell::sea {

voronoi::LoadOptions load_options(const Case& run) {
    voronoi::LoadOptions options;
    options.read.uniform_depth = run.mesh.uniform_depth;
    options.method = graph::partition_method(run.mesh.partition, run.file);
    options.imbalance = run.mesh.imbalance;
    options.map_to_hosts = run.mesh.map_to_hosts;
    options.layers = Propagator::layers(run.propagation.scheme);
    options.reorder = run.halo.reorder;
    return options;
}

voronoi::LoadedMesh load_mesh(MPI_Comm comm, const Case& run) {
    const parallel::MemoryHolder holder(parallel::MemoryPart::mesh);
    voronoi::LoadedMesh loaded = voronoi::load_mesh(comm, run.mesh.file, load_options(run));
    const voronoi::LoadReport& report = loaded.report;
    if (loaded.comm.rank() == 0) {
        std::string left_out;
        if (report.cull.land + report.cull.enclosed > 0)
            left_out = fmt::format("; left out: {} on land, {} in {} enclosed waters", report.cull.land,
                                   report.cull.enclosed, report.cull.enclosed_waters);
        base::log_info("mesh {}: {} sea cells{}", run.mesh.file, loaded.mesh.global_cells, left_out);
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
