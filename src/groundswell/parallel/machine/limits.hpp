#pragma once

#include <cstdint>
#include <optional>

/// Limits of a process of this machine on memory, /dev/shm and files.
namespace groundswell::parallel {

struct Limits {
    static constexpr std::int64_t none = -1;  ///< no limit
    std::int64_t shared_memory_bytes = none,
                 free_shared_memory_bytes = none;          ///< of /dev/shm; none: there is none
    std::int64_t memory_bytes = 0, free_memory_bytes = 0;  ///< of the machine, or of this process's container
    std::int64_t open_files = none, locked_bytes = none, stack_bytes = none;  ///< setrlimit(2)
};

/// Limits of this process, with what GROUNDSWELL_TEST_SHM and GROUNDSWELL_TEST_MEMORY pretend. Throws base::Refusal if the first
/// is no size.
Limits this_process_limits();

/// Size of /dev/shm by GROUNDSWELL_TEST_SHM=64MB (kB, MB or GB); throws base::Refusal if that is not a size.
std::optional<std::int64_t> pretended_shared_memory();

}  // namespace groundswell::parallel
