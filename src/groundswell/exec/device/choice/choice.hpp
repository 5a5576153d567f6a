#pragma once

#include <memory>

#include "groundswell/exec/device/device.hpp"

namespace groundswell::exec {

/// Processes that share a host, of which the caller is one.
struct DeviceSharing {
    int process = 0, processes = 1;
    int processes_of_gpu = 1;  ///< that one GPU may have
};

/// The GPU of the calling process: GPUs are dealt out to the processes of a host in turn. With the environment variable
/// GROUNDSWELL_PLAYED_DEVICE=seed a PlayedDevice of that seed. Throws a Refusal that says why there is none, and where a GPU would
/// have more processes than it may. `graphs`: as a GraphingDevice. Not collective.
std::unique_ptr<Device> make_gpu(const DeviceSharing& sharing, bool graphs = false);

}  // namespace groundswell::exec
