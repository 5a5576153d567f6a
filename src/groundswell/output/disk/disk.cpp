#include "groundswell/output/disk/disk.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <mpi.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/disk/test_hooks.hpp"

namespace groundswell::output {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what, int error) {
    throw base::RunFailure(fmt::format("{}: {}: {}", path, what, std::strerror(error)));
}

/// `what`: that it is opened for.
base::Descriptor open_for(const std::string& path, int flags, const std::string& what) {
    base::Descriptor file(::open(path.c_str(), flags | O_CLOEXEC));
    if (!file.is_open()) fail(path, what + ": cannot open the file", errno);
    return file;
}

std::uint32_t swapped(std::uint32_t word) {
    return __builtin_bswap32(word);
}
std::uint64_t swapped(std::uint64_t word) {
    return __builtin_bswap64(word);
}

template <class Word>
void swap_each(std::span<std::byte> bytes) {
    std::byte* at = bytes.data();
    for (std::size_t i = 0; i < bytes.size() / sizeof(Word); ++i, at += sizeof(Word)) {
        Word word;
        std::memcpy(&word, at, sizeof(Word));
        word = swapped(word);
        std::memcpy(at, &word, sizeof(Word));
    }
}

}  // namespace

std::int64_t free_bytes(const std::string& path) {
    if (TestHooks::space_is_unknown()) return std::numeric_limits<std::int64_t>::max();
    struct statvfs status {};
    if (::statvfs(path.c_str(), &status) != 0 || status.f_blocks == 0)
        return std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(status.f_bavail) * static_cast<std::int64_t>(status.f_frsize);
}

bool is_full(const std::string& path) {
    struct statvfs status {};
    // What a record needs is more than a block.
    return ::statvfs(path.c_str(), &status) == 0 && status.f_blocks > 0 && status.f_bavail < 2;
}

std::string why_not_made(const std::string& path, const std::string& otherwise) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    const char* name = folder.empty() ? "." : folder.c_str();
    return ::faccessat(AT_FDCWD, name, W_OK | X_OK, AT_EACCESS) == 0 ? otherwise : std::strerror(errno);
}

std::string room_on(const std::string& path) {
    if (is_full(path)) return std::strerror(ENOSPC);
    const std::int64_t free = free_bytes(path);
    const std::string text = free == std::numeric_limits<std::int64_t>::max() ? "some" : std::to_string(free);
    return fmt::format("{} bytes are free there (is the disk full, or a quota used up?)", text);
}

void reserve(const std::string& path, std::int64_t offset, std::int64_t bytes, const std::string& what) {
    if (bytes <= 0) return;
    const base::Descriptor file = open_for(path, O_WRONLY, what);
    if (TestHooks::space_is_unknown()) return;
    int result = 0;
    do {
        result = ::fallocate(file.get(), FALLOC_FL_KEEP_SIZE, offset, bytes);
    } while (result != 0 && errno == EINTR);
    if (result == 0) return;
    if (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL) {
        fail(path, fmt::format("no room for {} ({} bytes)", what, bytes), errno);
    }
    if (free_bytes(path) < bytes) fail(path, fmt::format("no room for {} ({} bytes)", what, bytes), ENOSPC);
}

void write_at(int file, const std::string& path, std::int64_t offset, std::span<const std::byte> bytes,
              const std::string& what) {
    while (!bytes.empty()) {
        const ssize_t done = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) fail(path, what + ": cannot write", done < 0 ? errno : ENOSPC);
        offset += done;
        bytes = bytes.subspan(done);
    }
}

void swap_big_endian(std::span<std::byte> bytes, std::int64_t value_bytes) {
    if constexpr (std::endian::native == std::endian::little) {
        if (value_bytes == 4) swap_each<std::uint32_t>(bytes);
        if (value_bytes == 8) swap_each<std::uint64_t>(bytes);
    }
}

void flush(const std::string& path) {
    const base::Descriptor file = open_for(path, O_RDONLY, "flushing");
    // Some file systems cannot flush (EINVAL, EROFS); that is no loss of data.
    if (::fsync(file.get()) != 0 && errno != EINVAL && errno != EROFS) fail(path, "cannot flush", errno);
}

std::int64_t file_size(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) fail(path, "cannot find the size", errno);
    return status.st_size;
}

std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t start) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15u;
    std::uint64_t sum = start;
    const auto add = [&sum](std::uint64_t word) {
        sum = (sum ^ word) * odd;
        sum ^= sum >> 32;
    };
    // Four words at a time: each step waits for the one before.
    std::size_t i = 0;
    for (std::array<std::uint64_t, 4> w{}; i + sizeof(w) <= bytes.size(); i += sizeof(w)) {
        std::memcpy(w.data(), bytes.data() + i, sizeof(w));
        add((w[0] * odd) ^ std::rotl(w[1] * odd, 17) ^ std::rotl(w[2] * odd, 31) ^ std::rotl(w[3] * odd, 47));
    }
    for (; i < bytes.size(); i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
        add(word);
    }
    return sum;
}

void verify(const std::string& path, std::span<const Written> pieces, const std::string& what) {
    if (pieces.empty()) return;
    const base::Descriptor file = open_for(path, O_RDONLY, what + ": reading back");
    const auto missing = [&](const Written& piece, const std::string& found) {
        return base::RunFailure(
            fmt::format("{}: {} is not on the disk although the write reported success: {}; {}", path,
                        piece.what.empty() ? what : piece.what, found, room_on(path)));
    };
    std::vector<std::byte> buffer(std::size_t{1} << 18);  // stays in the cache between the steps
    for (const Written& piece : pieces) {
        std::uint64_t sum = checksum({});
        for (std::int64_t done = 0; done < piece.bytes;) {
            const auto wanted = static_cast<std::size_t>(
                std::min<std::int64_t>(piece.bytes - done, static_cast<std::int64_t>(buffer.size())));
            std::size_t filled = 0;
            while (filled < wanted) {
                const ssize_t got =
                    ::pread(file.get(), buffer.data() + filled, wanted - filled,
                            static_cast<off_t>(piece.offset + done) + static_cast<off_t>(filled));
                if (got < 0 && errno == EINTR) continue;
                if (got < 0)
                    fail(path, "cannot read back " + (piece.what.empty() ? what : piece.what), errno);
                if (got == 0) break;
                filled += static_cast<std::size_t>(got);
            }
            if (filled < wanted)
                throw missing(piece, fmt::format("the file ends at byte {}",
                                                 piece.offset + done + static_cast<std::int64_t>(filled)));
            const std::span<std::byte> part(buffer.data(), wanted);
            swap_big_endian(part, piece.value_bytes);
            sum = checksum(part, sum);
            done += static_cast<std::int64_t>(wanted);
        }
        if (sum != piece.checksum)
            throw missing(piece, fmt::format("bytes {} to {} differ from what was written", piece.offset,
                                             piece.offset + piece.bytes - 1));
    }
}

void make_file(const std::string& path, const MpiHints* hints) {
    if (hints == nullptr) {
        const base::Descriptor made(::open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666));
        if (!made.is_open()) fail(path, "cannot create", errno);
        return;
    }
    MPI_File made = MPI_FILE_NULL;
    const int mode = MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR;
    int status = MPI_File_open(MPI_COMM_SELF, path.c_str(), mode, hints->get(), &made);
    if (status == MPI_SUCCESS) status = MPI_File_close(&made);
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    if (status == MPI_SUCCESS) return;
    MPI_Error_string(status, text, &length);
    const std::string missing = missing_shared_memory(1);
    throw base::RunFailure(
        fmt::format("{}: cannot create: {}", path, missing.empty() ? why_not_made(path, text) : missing));
}

base::Descriptor open_file(const std::string& path) {
    base::Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (!file.is_open()) fail(path, "cannot open for writing", errno);
    return file;
}

void shorten(int file, const std::string& path, std::int64_t bytes) {
    if (::ftruncate(file, static_cast<off_t>(bytes)) != 0) fail(path, "cannot be shortened", errno);
}

}  // namespace groundswell::output
