#pragma once

#include <mpi.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/netcdf/library_call.hpp"

/// What the fuzzing targets share. Each gives a reader the bytes that the fuzzer made up: the reader accepts
/// them or refuses them as a user would see it (Refusal, RunFailure). Anything else that it throws, a
/// sanitizer's finding, more than 10 s or more than 1 GB is a fault, and ends the target (tests/fuzz/run). So
/// is a file on which a library failed: its header should have been refused before.
namespace groundswell::fuzz {

/// Calls `read`, which may refuse.
template <class Read>
void may_refuse(const Read& read) {
    try {
        read();
    } catch (const base::Refusal&) {
    } catch (const base::RunFailure&) {
    }
    // The library was left in the middle: nothing else can be read in this process.
    if (netcdf::library_is_lost()) std::abort();
}

/// The path of a file NAME of this process that holds `data`; every call replaces it.
inline std::string as_file(std::string_view name, const std::uint8_t* data, std::size_t size) {
    const static std::filesystem::path folder = [] {
        const auto made = std::filesystem::temp_directory_path() / ("fuzz-" + std::to_string(::getpid()));
        std::filesystem::create_directories(made);
        return made;
    }();
    const std::string path = (folder / name).string();
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    return path;
}

inline std::string_view text(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

/// A netCDF-4 file is HDF5's to read, which is not ours and bears no made-up bytes in this process.
inline bool is_hdf5(const std::uint8_t* data, std::size_t size) {
    constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
    return text(data, size).find(signature) != std::string_view::npos;
}

/// For LLVMFuzzerInitialize: MPI with one rank, and no words about what is refused.
inline void begin() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
    base::set_message_level(base::MessageLevel::error);
}

}  // namespace groundswell::fuzz
