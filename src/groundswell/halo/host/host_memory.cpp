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
#include "groundswell/base/measure.hpp"
#include "groundswell/halo/host/shared_file.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/parallel/sparse_exchange.hpp"

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

void HostMemory::Unmap::operator()(std::byte* begin) const {
    munmap(begin, bytes);
}

HostMemory::Mapping HostMemory::map(int file, std::size_t bytes, Access access) {
    const int protection = access == Access::write ? PROT_READ | PROT_WRITE : PROT_READ;
    void* const mapped = mmap(nullptr, bytes, protection, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED)
        throw base::RunFailure(fmt::format("shared memory cannot be mapped: {}", std::strerror(errno)));
    return Mapping(static_cast<std::byte*>(mapped), Unmap{bytes});
}

namespace {

/// The ranks of `comm` that read this rank's memory, ascending; it reads those of `read`. Asks these alone, so
/// nothing here is as long as the number of ranks. Collective.
std::vector<int> find_readers(MPI_Comm comm, std::span<const int> read) {
    parallel::SparseExchange exchange(comm);
    std::vector<parallel::Parcel> notes;
    for (const int there : read) notes.push_back({there, {}});
    std::vector<int> readers;
    for (const parallel::Parcel& note : exchange(notes)) readers.push_back(note.rank);
    return readers;
}

}  // namespace

HostMemory::Result HostMemory::allocate(MPI_Comm comm, const Host& host, std::span<const int> read,
                                        std::size_t bytes, Access access) {
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
    check(MPI_Allreduce(MPI_IN_PLACE, wanted_and_held.data(), 2, MPI_INT64_T, MPI_SUM, host.comm.get()),
          "add up the shared memory wanted on a host");
    const std::string prefix = draw_name_prefix(host.comm);

    std::unique_ptr<HostMemory> memory(new HostMemory);
    memory->number_ = static_cast<std::uint64_t>(number);
    memory->comm_ = comm;
    memory->read_.assign(read.begin(), read.end());
    memory->readers_ = find_readers(comm, read);
    memory->mapped_.resize(read.size());
    SharedFile file;
    SharedName name;
    std::vector<SharedFile> files(read.size());

    const std::string wanted = fmt::format("{} of shared memory are wanted on host {}",
                                           base::size_text(wanted_and_held[0]), host.name);
    auto reason = failure_anywhere(comm, wanted, [&] {
        const std::int64_t free = shared_room(wanted_and_held[1]);
        if (wanted_and_held[0] > free)
            throw base::RunFailure(fmt::format("{} can be had in {}", base::size_text(free), shared_folder));
        std::string mine = name_of(prefix, parallel::rank_of(comm));
        file = SharedFile::create(mine, bytes);
        name.reset(new const std::string(std::move(mine)));
    });
    if (reason) return {nullptr, *reason};

    reason = failure_anywhere(comm, wanted, [&] {
        for (std::size_t k = 0; k < files.size(); ++k)
            files[k] = SharedFile::open(name_of(prefix, read[k]), access == Access::write);
    });
    name.reset();
    if (reason) return {nullptr, *reason};

    reason = failure_anywhere(comm, wanted, [&] {
        file.reserve();
        memory->mine_ = map(file.descriptor(), bytes, Access::write);
        // Left to the first exchange are the few page faults of what is really read: mapping all pages of all
        // neighbours now would count them as memory of this rank, too.
        for (std::size_t k = 0; k < files.size(); ++k)
            memory->mapped_[k] = map(files[k].descriptor(), files[k].bytes(), access);
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
    if (std::erase(registry().live, this) != 0)
        registry().bytes -= static_cast<std::int64_t>(mine_.get_deleter().bytes);
}

std::byte* HostMemory::of_rank(int rank) const {
    const auto found = std::lower_bound(read_.begin(), read_.end(), rank);
    if (found == read_.end() || *found != rank) return nullptr;
    return mapped_[found - read_.begin()].get();
}

bool HostMemory::is_read_by(int rank) const {
    return std::binary_search(readers_.begin(), readers_.end(), rank);
}

HostMemory* HostMemory::holding(const void* address) {
    const auto* const byte = static_cast<const std::byte*>(address);
    const std::lock_guard lock(registry().mutex);
    for (HostMemory* memory : registry().live) {
        const std::byte* const begin = memory->data();
        const std::byte* const end = begin + memory->mine_.get_deleter().bytes;
        if (!std::less<>()(byte, begin) && std::less<>()(byte, end)) return memory;
    }
    return nullptr;
}

HostMemory* HostMemory::numbered(std::uint64_t number) {
    const std::lock_guard lock(registry().mutex);
    for (HostMemory* memory : registry().live)
        if (memory->number_ == number) return memory;
    return nullptr;
}

}  // namespace groundswell::halo
