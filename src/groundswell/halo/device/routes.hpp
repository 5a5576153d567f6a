#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/halo/exchange.hpp"
#include "groundswell/halo/plan.hpp"

namespace groundswell::halo {

/// The way of the messages between this rank and one neighbour.
struct Way {
    Route route = Route::staged;  ///< any but automatic
    std::byte* there = nullptr;   ///< by memory: where the message belongs, as this rank's device knows it
    std::byte* opened =
        nullptr;  ///< and the array of another process that this is part of, for Device::release()
};

struct Ways {
    std::vector<Way> sources, destinations;  ///< in the plan's order
    std::string name;  ///< "gpu-" and the route of all messages of all ranks, or "mixed"
};

/// Whether the MPI library takes addresses of a GPU's memory. Needs no running MPI.
bool mpi_takes_gpu_memory();

/// Finds a way for each message of a plan: the wanted one, or where that is left open the first one that there is of memory, mpi and
/// staged. `received`: the array of the device that this rank's messages come to, source k's at `offsets[k]` bytes. Throws a Refusal
/// on all ranks where the wanted one is not there. Collective over plan.comm().
Ways find_ways(const Plan& plan, exec::Device& device, std::byte* received,
               const std::vector<std::size_t>& offsets, const ExchangeOptions& options);

}  // namespace groundswell::halo
