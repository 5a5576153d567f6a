#include "groundswell/exec/device/cuda/block.cuh"
#include "groundswell/halo/device/rows_kernel.hpp"

namespace groundswell::halo {

const void* gather_rows_cuda_entry() {
    return exec::cuda_entry<GatherRows>();
}
const void* scatter_rows_cuda_entry() {
    return exec::cuda_entry<ScatterRows>();
}

}  // namespace groundswell::halo
