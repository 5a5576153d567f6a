#include "groundswell/mesh/load.hpp"

#include <chrono>
#include <type_traits>

#include "groundswell/mesh/distribute.hpp"
#include "groundswell/mesh/ordering.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/placement.hpp"

namespace groundswell::mesh {
namespace {

/// Seconds since the last call.
class Stopwatch {
public:
    double lap() {
        const auto now = std::chrono::steady_clock::now();
        const double seconds = std::chrono::duration<double>(now - last_).count();
        last_ = now;
        return seconds;
    }

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace

LocalMesh load_mesh(MPI_Comm comm, const std::function<GlobalMesh()>& make, const LoadOptions& options,
                    LoadReport* report) {
    int rank = 0, size = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    PartitionOptions cutting{options.method, options.imbalance, {}};
    cutting.host_of_part = parallel::hosts_of_all_ranks(comm, parallel::find_placement(comm));

    GlobalMesh mesh;
    std::vector<int> part;
    LoadReport found;
    Stopwatch watch;
    parallel::agree(comm, [&] {
        if (rank != 0) return;
        mesh = make();
        found.read_seconds = watch.lap();
        mesh = order_along_curve(cull(std::move(mesh), options.cull, found.cull));
        found.order_seconds = watch.lap();
        Partition cut = partition(graph_of(mesh), size, cutting);
        part = std::move(cut.part);
        found.partition = cut.report;
        watch.lap();
    });
    LocalMesh local = distribute(comm, mesh, part, options.layers);
    found.distribute_seconds = watch.lap();
    static_assert(std::is_trivially_copyable_v<LoadReport>);
    parallel::check(MPI_Bcast(&found, sizeof(found), MPI_BYTE, 0, comm), "telling all ranks about the mesh");
    if (report != nullptr) *report = found;
    return local;
}

LocalMesh load_mesh(MPI_Comm comm, const std::string& path, const LoadOptions& options, LoadReport* report) {
    return load_mesh(
        comm, [&] { return read_mesh(path, options.read); }, options, report);
}

}  // namespace groundswell::mesh
