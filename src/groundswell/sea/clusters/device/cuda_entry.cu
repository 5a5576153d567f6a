#include "groundswell/exec/device/cuda/block.cuh"
#include "groundswell/sea/clusters/device/image_step.hpp"

namespace groundswell::sea {

const void* image_cuda_entry() {
    return exec::cuda_entry<ImageStep>();
}

}  // namespace groundswell::sea
