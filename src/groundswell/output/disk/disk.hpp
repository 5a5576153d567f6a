#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "groundswell/base/descriptor.hpp"
#include "groundswell/output/disk/mpi_hints.hpp"

/// Guarantees that the libraries above the file system do not give: that there is room before a record is begun, and
/// that what was written is there. A full disk is silent under some MPI-IO layers (Open MPI's OMPIO returns
/// success and leaves zeros), so success is believed only when the bytes were read back.
namespace groundswell::output {

/// Sets blocks of the file system aside for bytes [offset, offset + bytes) of the file, without changing its
/// size; where the file system cannot do that, compares with the free space. RunFailure with `what` (which
/// is what shall be written there) and the system's words when there is no room, or the file cannot be
/// opened.
void reserve(const std::string& path, std::int64_t offset, std::int64_t bytes, const std::string& what);

/// Free bytes for this user on the file system of a file or folder; the largest number where unknown.
std::int64_t free_bytes(const std::string& path);

/// Whether the file system of a file or folder has no room left for anybody.
bool is_full(const std::string& path);

/// Reason why no file could be made here, in the system's words: those of the folder where it refuses new files, else
/// `otherwise`, which a library says.
std::string why_not_made(const std::string& path, const std::string& otherwise);

/// Free room as the file system states it, for a message about values that are not there although nobody
/// reported an error: the system's words for a full disk, or how many bytes are free.
std::string room_on(const std::string& path);

/// Writes all bytes to an open file, of which `path` is the name. RunFailure that names `what` of it.
void write_at(int file, const std::string& path, std::int64_t offset, std::span<const std::byte> bytes,
              const std::string& what);

/// Turns values of this machine's order into big-endian ones, or back, in place.
void swap_big_endian(std::span<std::byte> bytes, std::int64_t value_bytes);

/// Flushes the file to the device. RunFailure when the system reports an error, also an earlier one.
void flush(const std::string& path);

std::int64_t file_size(const std::string& path);  ///< RunFailure when there is no such file

/// One contiguous piece of a file that this rank wrote.
struct Written {
    std::int64_t offset = 0, bytes = 0;
    std::int64_t value_bytes = 1;  ///< 1, 4 or 8: the file holds each value big-endian
    std::uint64_t checksum = 0;    ///< of the values in this machine's order
    std::string what{};            ///< for messages, as "record 2, variable hs, rows 0 to 99"
};

/// Order-dependent 64-bit sum of the bytes; meant to find missing or foreign data, not to resist attack.
/// Sums of consecutive parts (each a multiple of 32 bytes but the last) chain through `start`.
std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t start = 0xcbf29ce484222325u);

/// Reads the pieces back. RunFailure naming the first that is not as written; `what`: of pieces without one.
void verify(const std::string& path, std::span<const Written> pieces, const std::string& what);

/// Makes a file that is not there yet; base::RunFailure with the system's words where that fails, as the two below. With hints MPI-IO does it, because a parallel file system lays the file out by them.
void make_file(const std::string& path, const MpiHints* hints);
/// Opens it for reading and writing.
base::Descriptor open_file(const std::string& path);
void shorten(int file, const std::string& path, std::int64_t bytes);

}  // namespace groundswell::output
