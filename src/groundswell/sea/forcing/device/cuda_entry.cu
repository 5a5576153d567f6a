#include "groundswell/exec/device/cuda/block.cuh"
#include "groundswell/sea/forcing/device/wind_kernels.hpp"

namespace groundswell::sea {

const void* layer_cuda_entry() {
    return exec::cuda_entry<LayerStep>();
}
const void* felt_wind_cuda_entry() {
    return exec::cuda_entry<FeltWindStep>();
}

}  // namespace groundswell::sea
