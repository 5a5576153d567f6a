#pragma once

#include <array>
#include <cstdint>
#include <string_view>

/// Time before the first step, by part. The main thread of a process says so wherever a part's work is done; the
/// run reads it. Nothing is collective.
namespace groundswell::parallel {

/// Shares of the parts of a run in this process's heap: by what the heap gained while it was made, so that nobody need
/// count the sizes of a thousand arrays. What the MPI library keeps for a connection counts for whom it connects.
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
    MemoryHolder& operator=(MemoryHolder&&) = delete;  // neither copied nor moved

private:
    MemoryPart part_;
    std::int64_t before_ = 0;
};

enum class StartUpPart {
    reading,         ///< files: mesh, rock, winds, restarts
    partition,       ///< ordering and cutting the mesh, and handing out its cells
    plan,            ///< who needs what of whom
    connections,     ///< communicators, windows of shared memory, persistent messages
    first_exchange,  ///< the first of each transport: many MPI libraries connect only then
    trials,          ///< further exchanges, by which transports are compared
    output,          ///< checking and making output files
    other            ///< the model's own tables and fields, and what none of these claims
};
inline constexpr std::array<std::string_view, 8> start_up_part_names{
    "reading", "partition", "plan", "connections", "first_exchange", "trials", "output", "other"};

/// Every instant between the two belongs to just one part, the innermost that was entered, so that parts add up.
void begin_start_up();
std::array<double, start_up_part_names.size()> end_start_up();  ///< s, by part

/// The time of its life belongs to a part, less that of timers within it. Costs nothing outside a start-up.
class StartUpTimer {
public:
    explicit StartUpTimer(StartUpPart part);
    ~StartUpTimer();
    StartUpTimer& operator=(StartUpTimer&&) = delete;  // neither copied nor moved

private:
    StartUpPart before_;
};

}  // namespace groundswell::parallel
