#include "groundswell/exec/device/cuda/block.cuh"
#include "groundswell/exec/device/limits/kernels.hpp"

namespace groundswell::exec {

const void* triad_cuda_entry() {
    return cuda_entry<Triad>();
}
const void* multiply_and_add_cuda_entry(float) {
    return cuda_entry<MultiplyAndAdd<float>>();
}
const void* multiply_and_add_cuda_entry(double) {
    return cuda_entry<MultiplyAndAdd<double>>();
}

}  // namespace groundswell::exec
