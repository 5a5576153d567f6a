#include "groundswell/exec/device/cuda/block.cuh"
#include "groundswell/sea/source/device/source_kernel.hpp"

namespace groundswell::sea {

const void* source_cuda_entry() {
    return exec::cuda_entry<SourceStep>();
}

}  // namespace groundswell::sea
