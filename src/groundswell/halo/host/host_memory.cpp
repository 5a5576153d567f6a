#include "groundswell/halo/host/host_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/halo/host/shared_file.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::halo {

namespace {

using parallel::check;

/// All memory of this process. Ranks of one process may be threads in some MPI, so it is locked.
struct Registry {
    std::mutex mutex;
    std::vector<HostMemory*> live;
    std::uint64_t last_number = 0;
    std::int64_t bytes = 0;
};

Registry& registry() {
    static Registry all;
    return all;
}

std::string readable(std::int64_t bytes) {
    if (bytes < 1'000'000) return fmt::format("{:.0f} kB", 1e-3 * static_cast<double>(bytes));
    if (bytes < 1'000'000'000) return fmt::format("{:.1f} MB", 1e-6 * static_cast<double>(bytes));
    return fmt::format("{:.1f} GB", 1e-9 * static_cast<double>(bytes));
}

std::string name_of(std::string_view prefix, int rank) {
    return fmt::format("{}-{}", prefix, rank);
}

/// Runs `f` on each rank of `comm`. Where it fails on one with a RunFailure, all ranks get that message,
/// behind what that rank's host `wanted`.
template <class F>
std::optional<std::string> failure_anywhere(MPI_Comm comm, std::string_view wanted, const F& f) {
    try {
        parallel::agree(comm, [&] {
            try {
                f();
            } catch (const base::RunFailure& failure) {
                throw base::RunFailure(fmt::format("{}: {}", wanted, failure.what()));
            }
        });
    } catch (const parallel::AgreedError<base::RunFailure>& failure) {
        return failure.what();
    }
    return std::nullopt;
}

}  // namespace

HostMemory::Mapping::Mapping(int file, std::size_t length, Access access) : bytes(length) {
    const int protection = access == Access::write ? PROT_READ | PROT_WRITE : PROT_READ;
    void* const mapped = mmap(nullptr, length, protection, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED)
        throw base::RunFailure(fmt::format("shared memory cannot be mapped: {}", std::strerror(errno)));
    begin = static_cast<std::byte*>(mapped);
}

HostMemory::Mapping::Mapping(Mapping&& other) noexcept {
    *this = std::move(other);
}

HostMemory::Mapping& HostMemory::Mapping::operator=(Mapping&& other) noexcept {
    std::swap(begin, other.begin);
    std::swap(bytes, other.bytes);
    return *this;
}

HostMemory::Mapping::~Mapping() {
    if (begin != nullptr) munmap(begin, bytes);
}

HostMemory::Result HostMemory::allocate(const Plan& plan, const HostNeighbours& neighbours, std::size_t bytes,
                                        Access access) {
    const MPI_Comm comm = plan.comm();
    const std::size_t pages = std::max<std::size_t>(1, (bytes + page_bytes() - 1) / page_bytes());
    bytes = pages * page_bytes();

    std::array<std::int64_t, 2> wanted_and_held{static_cast<std::int64_t>(bytes), 0};
    std::int64_t number = 0;
    {
        const std::lock_guard lock(registry().mutex);
        wanted_and_held[1] = registry().bytes;
        number = static_cast<std::int64_t>(registry().last_number) + 1;
    }
    number = parallel::max(comm, number);
    check(MPI_Allreduce(MPI_IN_PLACE, wanted_and_held.data(), 2, MPI_INT64_T, MPI_SUM, neighbours.host.get()),
          "add up the shared memory wanted on a host");
    const std::string prefix = draw_name_prefix(neighbours.host);

    std::unique_ptr<HostMemory> memory(new HostMemory);
    memory->number_ = static_cast<std::uint64_t>(number);
    memory->plan_number_ = plan.number();
    memory->sources_.resize(plan.sources().size());
    SharedFile file;
    SharedName name;
    std::vector<SharedFile> files(plan.sources().size());

    const std::string wanted = fmt::format("{} of shared memory are wanted on host {}",
                                           readable(wanted_and_held[0]), neighbours.host_name);
    auto reason = failure_anywhere(comm, wanted, [&] {
        const std::int64_t free = shared_room(wanted_and_held[1]);
        if (wanted_and_held[0] > free)
            throw base::RunFailure(fmt::format("{} can be had in {}", readable(free), shared_folder));
        int rank = 0;
        MPI_Comm_rank(comm, &rank);
        std::string mine = name_of(prefix, rank);
        file = SharedFile::create(mine, bytes);
        name = SharedName(std::move(mine));
    });
    if (reason) return {nullptr, *reason};

    reason = failure_anywhere(comm, wanted, [&] {
        for (std::size_t k = 0; k < files.size(); ++k) {
            if (neighbours.sources[k].on_host)
                files[k] = SharedFile::open(name_of(prefix, plan.sources()[k].rank), access == Access::write);
        }
    });
    name = SharedName();
    if (reason) return {nullptr, *reason};

    reason = failure_anywhere(comm, wanted, [&] {
        file.reserve();
        memory->mine_ = Mapping(file.descriptor(), bytes, Access::write);
        // Left to the first exchange are the few page faults of what is really read: mapping all pages of all
        // neighbours now would count them as memory of this rank, too.
        for (std::size_t k = 0; k < files.size(); ++k)
            if (files[k].is_open())
                memory->sources_[k] = Mapping(files[k].descriptor(), files[k].bytes(), access);
    });
    if (reason) return {nullptr, *reason};

    const std::lock_guard lock(registry().mutex);
    registry().last_number = memory->number_;
    registry().bytes += static_cast<std::int64_t>(bytes);
    registry().live.push_back(memory.get());
    return {std::move(memory), ""};
}

HostMemory::~HostMemory() {
    const std::lock_guard lock(registry().mutex);
    if (std::erase(registry().live, this) != 0) registry().bytes -= static_cast<std::int64_t>(mine_.bytes);
}

HostMemory* HostMemory::holding(const void* address) {
    const auto* const byte = static_cast<const std::byte*>(address);
    const std::lock_guard lock(registry().mutex);
    for (HostMemory* memory : registry().live) {
        const std::byte* const begin = memory->mine_.begin;
        if (!std::less<>()(byte, begin) && std::less<>()(byte, begin + memory->mine_.bytes)) return memory;
    }
    return nullptr;
}

HostMemory* HostMemory::numbered(std::uint64_t number) {
    const std::lock_guard lock(registry().mutex);
    for (HostMemory* memory : registry().live)
        if (memory->number_ == number) return memory;
    return nullptr;
}

std::unique_ptr<HostMemory> allocate_field_memory(const Plan& plan, std::size_t bytes) {
    const HostNeighbours neighbours = find_host_neighbours(plan);
    std::int64_t shared = 0;
    for (std::size_t k = 0; k < neighbours.sources.size(); ++k)
        shared |= neighbours.sources[k].on_host && plan.sources()[k].rank != neighbours.comm.rank();
    if (parallel::max(plan.comm(), shared) == 0) return nullptr;

    HostMemory::Result result = HostMemory::allocate(plan, neighbours, bytes, HostMemory::Access::read);
    static bool warned = false;
    if (!result.memory && neighbours.comm.rank() == 0 && !std::exchange(warned, true)) {
        base::log_warning(
            "halo: fields are kept in each rank's own memory, which costs an exchange between ranks of a "
            "host "
            "one more copy: {}",
            result.reason);
    }
    return std::move(result.memory);
}

}  // namespace groundswell::halo
