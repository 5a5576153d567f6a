#include "groundswell/halo/device/routes.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "groundswell/base/errors.hpp"
#include "groundswell/halo/host/host_neighbours.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::halo {

namespace {

// The array of a receiver as its source is told of it.
struct Shared {
    std::array<std::byte, 128> name{};
    std::size_t name_bytes = 0;  // 0: not shared
    std::size_t offset = 0;      // of the source's message
    bool is_own = false;         // of the same rank
};

bool wants(const ExchangeOptions& options, Route route) {
    return options.gpu == Route::automatic || options.gpu == route;
}

// What each source is told: of the array that its message comes to.
std::vector<Shared> what_sources_hear(const Plan& plan, exec::Device& device, std::byte* received,
                                      const std::vector<std::size_t>& offsets,
                                      const std::vector<HostNeighbour>& neighbours, bool wanted) {
    const std::vector<std::byte> name = wanted ? device.share(received) : std::vector<std::byte>{};
    std::vector<Shared> told(plan.sources().size());
    const int self = parallel::rank_of(plan.comm());
    for (std::size_t k = 0; k < told.size(); ++k) {
        GS_ASSERT(name.size() <= told[k].name.size());
        told[k].offset = offsets[k];
        told[k].is_own = wanted && plan.sources()[k].rank == self;
        if (!neighbours[k].on_host || told[k].is_own) continue;
        std::ranges::copy(name, told[k].name.begin());
        told[k].name_bytes = name.size();
    }
    return told;
}

std::string name_of_all(const Plan& plan, const Ways& ways) {
    std::string name;
    for (const Route route : {Route::memory, Route::mpi, Route::staged}) {
        const bool here =
            std::ranges::any_of(ways.destinations, [&](const Way& w) { return w.route == route; });
        if (parallel::max(plan.comm(), std::int64_t{here ? 1 : 0}) == 0) continue;
        name = name.empty() ? fmt::format("gpu-{}", halo::name(route)) : "gpu-mixed";
    }
    return name.empty() ? "gpu-none" : name;
}

}  // namespace

bool mpi_takes_gpu_memory() {
    // An extension that libraries of either family have; who has not does not take such addresses.
    using Query = int (*)();
    void* const found = dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support");
    return found != nullptr && reinterpret_cast<Query>(found)() == 1;
}

Ways find_ways(const Plan& plan, exec::Device& device, std::byte* received,
               const std::vector<std::size_t>& offsets, const ExchangeOptions& options) {
    const HostNeighbours neighbours = find_host_neighbours(plan);
    const Plan back = plan.reversed();
    const std::vector<Shared> heard =
        from_sources(neighbours.comm.get(), back,
                     what_sources_hear(plan, device, received, offsets, neighbours.sources,
                                       wants(options, Route::memory)));
    const bool by_mpi =
        wants(options, Route::mpi) && (device.reach(received).by_processor || mpi_takes_gpu_memory());

    Ways ways;
    std::vector<Route> told;
    for (const Shared& shared : heard) {
        Way way{by_mpi ? Route::mpi : Route::staged};
        std::byte* array = nullptr;
        if (shared.is_own) {
            array = received;
        } else if (shared.name_bytes > 0) {
            array =
                static_cast<std::byte*>(device.open_shared(std::span(shared.name).first(shared.name_bytes)));
            way.opened = array;
        }
        if (array != nullptr) {
            way.there = array + shared.offset;
            way.route = Route::memory;
        }
        ways.destinations.push_back(way);
        told.push_back(way.route);
    }
    for (const Route route : from_sources(neighbours.comm.get(), plan, told)) ways.sources.push_back({route});

    parallel::agree(plan.comm(), [&] {
        for (std::size_t k = 0; k < told.size() && options.gpu != Route::automatic; ++k)
            base::require(
                told[k] == options.gpu, options.where, options.names.gpu,
                fmt::format("\"{}\"", halo::name(options.gpu)),
                options.gpu == Route::mpi
                    ? "\"auto\" or \"staged\": this MPI library does not take memory of a GPU"
                    : fmt::format("\"auto\" or \"staged\": ranks {} and {} cannot reach each other's "
                                  "memory of a GPU",
                                  parallel::rank_of(plan.comm()), plan.destinations()[k].rank));
    });
    ways.name = name_of_all(plan, ways);
    return ways;
}

}  // namespace groundswell::halo
