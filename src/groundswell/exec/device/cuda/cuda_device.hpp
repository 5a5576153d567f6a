#pragma once

#include <memory>

#include "groundswell/exec/device/device.hpp"

namespace groundswell::exec {

/// The GPU of CUDA that the process sees first. Throws a Refusal that says why there is none: no device, no driver or one too old, or
/// a program that was built without CUDA. It has not been run on a GPU yet.
std::unique_ptr<Device> make_cuda_device();

}  // namespace groundswell::exec
