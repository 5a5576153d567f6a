#include "groundswell/exec/device/cuda/block.cuh"
#include "groundswell/sea/propagation/upwind/device_kernel.hpp"

namespace groundswell::sea {

const void* upwind_cuda_entry(bool four_directions) {
    return four_directions ? exec::cuda_entry<UpwindStep<lanes::Four>>() : exec::cuda_entry<UpwindStep<Real>>();
}

}  // namespace groundswell::sea
