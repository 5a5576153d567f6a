#pragma once

#include <array>
#include <cstdint>
#include <string_view>

/// Shares of the parts of a run in this process's heap: by what the heap gained while it was made, so that nobody need
/// count the sizes of a thousand arrays. What the MPI library keeps for a connection counts for whom it connects.
namespace groundswell::parallel {

enum class MemoryPart { mesh, halo, forcing };
inline constexpr std::array<std::string_view, 3> memory_part_names{"mesh", "halo", "forcing"};

/// Bytes of the heap in use; 0 where the C library does not tell.
std::int64_t heap_bytes();
/// Memory that parts have gained so far, bytes, in the order of MemoryPart.
std::array<std::int64_t, memory_part_names.size()> held_memory();

/// Attributes to a part what the heap gains in this object's life; within the life of another one, to that.
class MemoryHolder {
public:
    explicit MemoryHolder(MemoryPart part);
    ~MemoryHolder();
    MemoryHolder(const MemoryHolder&) = delete;
    MemoryHolder& operator=(const MemoryHolder&) = delete;

private:
    MemoryPart part_;
    std::int64_t before_ = 0;
};

}  // namespace groundswell::parallel
