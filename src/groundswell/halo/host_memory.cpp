#include "groundswell/halo/host_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <optional>
#include <random>
#include <string_view>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::halo {

namespace {

using parallel::check;

constexpr const char* folder = "/dev/shm";  // where Linux keeps what shm_open makes
constexpr const char* room_variable = "GROUNDSWELL_TEST_SHM";

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

std::size_t page_bytes() {
    static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

std::string readable(std::int64_t bytes) {
    return bytes < 1000000 ? fmt::format("{:.0f} kB", 1e-3 * static_cast<double>(bytes))
                           : fmt::format("{:.1f} MB", 1e-6 * static_cast<double>(bytes));
}

std::optional<std::int64_t> pretended_room() {
    const char* value = std::getenv(room_variable);
    if (value == nullptr || *value == '\0') return std::nullopt;
    const std::string_view text = value;
    double number = 0.0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
    for (const auto& [name, factor] : {std::pair{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}}) {
        if (error == std::errc() && number >= 0.0 && number < 1e9 && unit == name)
            return static_cast<std::int64_t>(number * factor);
    }
    base::refuse("environment", room_variable, text, "a size such as 64MB");
}

/// Bytes that may still be reserved on this host, of whose ranks hold `held` bytes already.
std::int64_t room(std::int64_t held) {
    struct statvfs state {};
    std::int64_t real = 0;
    if (statvfs(folder, &state) == 0) {
        const double bytes = static_cast<double>(state.f_bavail) * static_cast<double>(state.f_frsize);
        // An eighth is left to others: MPI libraries keep their own buffers there and die if it is full.
        real = static_cast<std::int64_t>(std::min(bytes * 7 / 8, 0x1p62));
    }
    const auto pretended = pretended_room();
    return pretended ? std::min(real, std::max<std::int64_t>(0, *pretended - held)) : real;
}

[[noreturn]] void fail(std::string_view what, int error) {
    throw base::RunFailure(fmt::format("{}: {}", what, std::strerror(error)));
}

class File {
public:
    File() = default;
    explicit File(int descriptor) : descriptor_(descriptor) {}
    File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    File& operator=(File&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~File() {
        if (descriptor_ >= 0) close(descriptor_);
    }
    int get() const { return descriptor_; }
    bool is_open() const { return descriptor_ >= 0; }

private:
    int descriptor_ = -1;
};

/// A name in /dev/shm that lives no longer than this.
class Name {
public:
    Name() = default;
    explicit Name(std::string text) : text_(std::move(text)) {}
    Name(Name&& other) noexcept : text_(std::exchange(other.text_, {})) {}
    Name& operator=(Name&& other) noexcept {
        std::swap(text_, other.text_);
        return *this;
    }
    ~Name() {
        if (!text_.empty()) shm_unlink(text_.c_str());
    }

private:
    std::string text_;
};

/// What the names of all ranks on a host begin with in this allocation; drawn by one of them. No other run
/// and no leftover of one has it.
std::string draw_prefix(const parallel::Communicator& host) {
    std::array<std::uint64_t, 3> drawn{};
    if (host.rank() == 0) {
        static std::atomic<std::uint64_t> counter{0};
        std::random_device random;
        drawn = {static_cast<std::uint64_t>(getpid()), ++counter,
                 (static_cast<std::uint64_t>(random()) << 32U) | random()};
    }
    check(MPI_Bcast(drawn.data(), static_cast<int>(drawn.size()), MPI_UINT64_T, 0, host.get()),
          "share a name of shared memory");
    return fmt::format("/groundswell-{}-{}-{:016x}", drawn[0], drawn[1], drawn[2]);
}

std::string name_of(std::string_view prefix, int rank) {
    return fmt::format("{}-{}", prefix, rank);
}

File create(const std::string& name, std::size_t bytes) {
    File file(shm_open(name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!file.is_open()) fail("shared memory cannot be made", errno);
    // No room is taken yet: that comes when the name is gone.
    if (ftruncate(file.get(), static_cast<off_t>(bytes)) != 0) fail("shared memory cannot be sized", errno);
    return file;
}

File open_of(const std::string& name, HostMemory::Access access) {
    const int mode = access == HostMemory::Access::write ? O_RDWR : O_RDONLY;
    File file(shm_open(name.c_str(), mode | O_CLOEXEC, 0));
    if (!file.is_open()) fail("shared memory of a neighbour cannot be opened", errno);
    return file;
}

std::size_t size_of(const File& file) {
    struct stat state {};
    if (fstat(file.get(), &state) != 0) fail("shared memory of a neighbour has no size", errno);
    return static_cast<std::size_t>(state.st_size);
}

/// Takes the room of the whole file, each thread that of the part on which it will compute.
void reserve(const File& file, std::size_t bytes) {
    const auto threads = static_cast<std::size_t>(exec::threads());
    const std::size_t pages = bytes / page_bytes();
    // A signal undoes the whole call, so a call that takes long might never come to its end.
    const std::size_t most_pages = std::max<std::size_t>(1, (std::size_t{64} << 20U) / page_bytes());
    std::atomic<int> error{0};
    exec::for_each_cell(0, static_cast<std::int32_t>(threads), [&](std::int32_t thread) {
        const auto t = static_cast<std::size_t>(thread);
        std::size_t first = pages * t / threads;
        const std::size_t end = pages * (t + 1) / threads;
        while (first < end && error == 0) {
            const std::size_t next = std::min(end, first + most_pages);
            const int result = posix_fallocate(file.get(), static_cast<off_t>(first * page_bytes()),
                                               static_cast<off_t>((next - first) * page_bytes()));
            if (result == EINTR) continue;
            if (result != 0) error = result;
            first = next;
        }
    });
    if (error != 0) fail("shared memory cannot be reserved", error);
}

/// Runs `f` on each rank of `comm`. Where it fails on one with a RunFailure, all ranks get that message.
template <class F>
std::optional<std::string> failure_anywhere(MPI_Comm comm, F&& f) {
    try {
        parallel::agree(comm, std::forward<F>(f));
    } catch (const parallel::AgreedError<base::RunFailure>& failure) {
        return failure.what();
    }
    return std::nullopt;
}

}  // namespace

HostMemory::Mapping::Mapping(int file, std::size_t length, Access access) : bytes(length) {
    const int protection = access == Access::write ? PROT_READ | PROT_WRITE : PROT_READ;
    void* const mapped = mmap(nullptr, length, protection, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) fail("shared memory cannot be mapped", errno);
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
    const std::string prefix = draw_prefix(neighbours.host);

    std::unique_ptr<HostMemory> memory(new HostMemory);
    memory->number_ = static_cast<std::uint64_t>(number);
    memory->plan_number_ = plan.number();
    memory->sources_.resize(plan.sources().size());
    File file;
    Name name;
    std::vector<File> files(plan.sources().size());

    auto reason = failure_anywhere(comm, [&] {
        const std::int64_t free = room(wanted_and_held[1]);
        if (wanted_and_held[0] > free) {
            throw base::RunFailure(
                fmt::format("{} of shared memory are wanted on host {} and {} can be had in {}",
                            readable(wanted_and_held[0]), neighbours.host_name, readable(free), folder));
        }
        int rank = 0;
        MPI_Comm_rank(comm, &rank);
        std::string mine = name_of(prefix, rank);
        file = create(mine, bytes);
        name = Name(std::move(mine));
    });
    if (reason) return {nullptr, *reason};

    reason = failure_anywhere(comm, [&] {
        for (std::size_t k = 0; k < files.size(); ++k) {
            if (neighbours.sources[k].on_host)
                files[k] = open_of(name_of(prefix, plan.sources()[k].rank), access);
        }
    });
    name = Name();
    if (reason) return {nullptr, *reason};

    reason = failure_anywhere(comm, [&] {
        reserve(file, bytes);
        memory->mine_ = Mapping(file.get(), bytes, Access::write);
        // Left to the first exchange are the few page faults of what is really read: mapping all pages of all
        // neighbours now would count them as memory of this rank, too.
        for (std::size_t k = 0; k < files.size(); ++k)
            if (files[k].is_open()) memory->sources_[k] = Mapping(files[k].get(), size_of(files[k]), access);
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
