#pragma once

#include <memory>

#include "groundswell/exec/device/device.hpp"

namespace groundswell::exec {

/// GPUs of CUDA that the process sees, at least one. Throws a Refusal that says why there is none: no device, no driver or one too
/// old, or a program that was built without CUDA.
int count_cuda_devices();

/// One of them, 0 ≤ number < count_cuda_devices(); of the calling thread from now on.
std::unique_ptr<Device> make_cuda_device(int number = 0);

}  // namespace groundswell::exec
