#include "groundswell/exec/device/cuda/block.cuh"
#include "groundswell/sea/spectrum/device/sums_kernel.hpp"

namespace groundswell::sea {

const void* moments_cuda_entry() {
    return exec::cuda_entry<MomentStep>();
}
const void* densities_cuda_entry() {
    return exec::cuda_entry<DensityStep>();
}
const void* products_cuda_entry() {
    return exec::cuda_entry<ProductStep>();
}
const void* systems_cuda_entry() {
    return exec::cuda_entry<SystemStep>();
}

}  // namespace groundswell::sea
