#include "groundswell/halo/layout.hpp"

#include <algorithm>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/halo/host/host_memory.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::halo {

namespace {

std::vector<int> neighbours_of(std::span<const Plan* const> plans) {
    std::vector<int> ranks;
    for (const Plan* plan : plans) {
        for (const Link& link : plan->sources()) ranks.push_back(link.rank);
        for (const Link& link : plan->destinations()) ranks.push_back(link.rank);
    }
    return ranks;
}

MPI_Comm common_communicator(std::span<const std::shared_ptr<const Plan>> plans) {
    GS_ASSERT(!plans.empty());
    for (const auto& plan : plans) GS_ASSERT(plan->comm() == plans.front()->comm());
    return plans.front()->comm();
}

std::vector<const Plan*> pointers(std::span<const std::shared_ptr<const Plan>> plans) {
    std::vector<const Plan*> found;
    for (const auto& plan : plans) found.push_back(plan.get());
    return found;
}

}  // namespace

Layout::Layout(MPI_Comm comm, std::int32_t owned, std::int32_t needed, std::vector<int> neighbours)
    : comm_(comm), ids_(owned + needed), neighbours_(std::move(neighbours)) {
    std::sort(neighbours_.begin(), neighbours_.end());
    neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
}

Layout::Layout(const Plan& plan)
    : Layout(plan.comm(), plan.ids(), 0, neighbours_of(std::vector<const Plan*>{&plan})) {}

Layout::Layout(std::span<const std::shared_ptr<const Plan>> plans)
    : Layout(common_communicator(plans), 0, 0, neighbours_of(pointers(plans))) {
    for (const auto& plan : plans) ids_ = std::max(ids_, plan->ids());
}

std::shared_ptr<std::byte> share_field_memory(const Layout& layout, std::size_t bytes) {
    const MPI_Comm comm = layout.comm();
    const Host host = find_host(comm);
    const std::vector<int> there = translate(comm, layout.neighbours(), host.comm.get());
    std::vector<int> read;
    bool others = false;
    for (std::size_t i = 0; i < there.size(); ++i) {
        if (there[i] == MPI_UNDEFINED) continue;
        read.push_back(layout.neighbours()[i]);
        others = others || there[i] != host.comm.rank();
    }
    if (parallel::max(comm, std::int64_t{others ? 1 : 0}) == 0) return nullptr;

    HostMemory::Result result = HostMemory::allocate(comm, host, read, bytes, HostMemory::Access::read);
    if (!result.memory) {
        static bool warned = false;
        if (parallel::rank_of(comm) == 0 && !std::exchange(warned, true))
            base::log_warning(
                "halo: fields are kept in each rank's own memory, which costs an exchange between ranks of a "
                "host one more copy: {}",
                result.reason);
        return nullptr;
    }
    const std::shared_ptr<HostMemory> memory = std::move(result.memory);
    return {memory, memory->data()};
}

}  // namespace groundswell::halo
