#include "groundswell/halo/host/shared_file.hpp"

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
#include <cstring>
#include <random>

#include "groundswell/base/errors.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/machine/limits.hpp"

namespace groundswell::halo {

namespace {

[[noreturn]] void fail(std::string_view what, int error) {
    throw base::RunFailure(fmt::format("{}: {}", what, std::strerror(error)));
}

}  // namespace

std::size_t page_bytes() {
    static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

std::int64_t shared_room(std::int64_t held) {
    struct statvfs state {};
    std::int64_t real = 0;
    if (statvfs(shared_folder.data(), &state) == 0) {
        const double bytes = static_cast<double>(state.f_bavail) * static_cast<double>(state.f_frsize);
        // An eighth, and 1 MiB at least, is left to others: MPI libraries keep their own buffers there and
        // die if it is full.
        real = static_cast<std::int64_t>(std::clamp(bytes - std::max(bytes / 8, 0x1p20), 0.0, 0x1p62));
    }
    const auto pretended = parallel::pretended_shared_memory();
    return pretended ? std::min(real, std::max<std::int64_t>(0, *pretended - held)) : real;
}

SharedFile SharedFile::create(const std::string& name, std::size_t bytes) {
    SharedFile file;
    file.file_ =
        base::Descriptor(shm_open(name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!file.file_.is_open()) fail("shared memory cannot be made", errno);
    if (ftruncate(file.descriptor(), static_cast<off_t>(bytes)) != 0)
        fail("shared memory cannot be sized", errno);
    return file;
}

SharedFile SharedFile::open(const std::string& name, bool to_write) {
    SharedFile file;
    file.file_ = base::Descriptor(shm_open(name.c_str(), (to_write ? O_RDWR : O_RDONLY) | O_CLOEXEC, 0));
    if (!file.file_.is_open()) fail("shared memory of a neighbour cannot be opened", errno);
    return file;
}

std::size_t SharedFile::bytes() const {
    struct stat state {};
    if (fstat(descriptor(), &state) != 0) fail("shared memory has no size", errno);
    return static_cast<std::size_t>(state.st_size);
}

void SharedFile::reserve() const {
    const auto threads = static_cast<std::size_t>(exec::threads());
    const std::size_t pages = bytes() / page_bytes();
    // A signal undoes the whole call, so a call that takes long might never come to its end.
    const std::size_t most_pages = std::max<std::size_t>(1, (std::size_t{64} << 20U) / page_bytes());
    std::atomic<int> error{0};
    exec::for_each_cell(0, static_cast<std::int32_t>(threads), [&](std::int32_t thread) {
        const auto t = static_cast<std::size_t>(thread);
        std::size_t first = pages * t / threads;
        const std::size_t end = pages * (t + 1) / threads;
        while (first < end && error == 0) {
            const std::size_t next = std::min(end, first + most_pages);
            const int result = posix_fallocate(descriptor(), static_cast<off_t>(first * page_bytes()),
                                               static_cast<off_t>((next - first) * page_bytes()));
            if (result == EINTR) continue;
            if (result != 0) error = result;
            first = next;
        }
    });
    if (error != 0) fail("shared memory cannot be reserved", error);
}

void RemoveName::operator()(const std::string* name) const {
    shm_unlink(name->c_str());
    delete name;
}

std::string draw_name_prefix(const parallel::Communicator& host) {
    std::array<std::uint64_t, 3> drawn{};
    if (host.rank() == 0) {
        static std::atomic<std::uint64_t> counter{0};
        std::random_device random;
        drawn = {static_cast<std::uint64_t>(getpid()), ++counter,
                 (static_cast<std::uint64_t>(random()) << 32U) | random()};
    }
    parallel::check(MPI_Bcast(drawn.data(), static_cast<int>(drawn.size()), MPI_UINT64_T, 0, host.get()),
                    "share a name of shared memory");
    return fmt::format("/groundswell-{}-{}-{:016x}", drawn[0], drawn[1], drawn[2]);
}

}  // namespace groundswell::halo
