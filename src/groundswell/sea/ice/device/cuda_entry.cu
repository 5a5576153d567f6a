#include "groundswell/exec/device/cuda/block.cuh"
#include "groundswell/sea/ice/device/damping_kernel.hpp"

namespace groundswell::sea {

const void* ice_damping_cuda_entry() {
    return exec::cuda_entry<IceDampingStep>();
}

}  // namespace groundswell::sea
