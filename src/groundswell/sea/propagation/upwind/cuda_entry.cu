#include "groundswell/sea/propagation/upwind/cuda_entry.hpp"

#include "groundswell/exec/device/cuda/block.cuh"
#include "groundswell/sea/propagation/upwind/device_kernel.hpp"

namespace groundswell::sea {

const void* upwind_cuda_entry() {
    return exec::cuda_entry<UpwindStep>();
}

}  // namespace groundswell::sea
