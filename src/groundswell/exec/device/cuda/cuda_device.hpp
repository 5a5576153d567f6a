#pragma once

#include <memory>
#include <string>
#include <vector>

#include "groundswell/exec/device/device.hpp"

namespace groundswell::exec {

/// GPUs of CUDA that the process sees, at least one. Throws a Refusal that says why there is none: no device, no driver or one too
/// old, or a program that was built without CUDA.
int count_cuda_devices();

/// A GPU as people know it.
struct CudaFacts {
    std::string name;
    std::string capability;  ///< of computing, "9.0" for an H100
    std::size_t memory_bytes = 0, free_bytes = 0;
    std::string bus;  ///< its place in /sys/bus/pci/devices
};
/// Findings of a process: GPUs that it sees, or why there are none. `driver`: the version of CUDA that the driver has.
struct CudaReport {
    std::vector<CudaFacts> gpus;
    std::string driver, why;
};
CudaReport look_at_cuda_devices();

/// One of them, 0 ≤ number < count_cuda_devices(); of the calling thread from now on.
std::unique_ptr<Device> make_cuda_device(int number = 0);

}  // namespace groundswell::exec
