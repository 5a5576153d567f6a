#include "groundswell/base/errors.hpp"
#include "groundswell/exec/device/cuda/cuda_device.hpp"

namespace groundswell::exec {

int count_cuda_devices() {
    base::refuse("GPU", "", "", "a program built with CUDA (scripts/build cuda)");
}

CudaReport look_at_cuda_devices() {
    CudaReport report;
    report.why = "the program was built without CUDA (scripts/build cuda)";
    return report;
}

std::unique_ptr<Device> make_cuda_device(int /*number*/) {
    count_cuda_devices();
    return nullptr;
}

}  // namespace groundswell::exec
