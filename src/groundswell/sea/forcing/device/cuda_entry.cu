#include "groundswell/exec/device/cuda/block.cuh"
#include "groundswell/sea/forcing/device/wind_kernel.hpp"

namespace groundswell::sea {

const void* wind_cuda_entry() {
    return exec::cuda_entry<WindStep>();
}

}  // namespace groundswell::sea
