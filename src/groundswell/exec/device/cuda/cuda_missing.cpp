#include "groundswell/base/errors.hpp"
#include "groundswell/exec/device/cuda/cuda_device.hpp"

namespace groundswell::exec {

std::unique_ptr<Device> make_cuda_device() {
    base::refuse("GPU", "", "", "a program built with CUDA (scripts/build cuda)");
}

}  // namespace groundswell::exec
