#include "groundswell/sea/propagation/device/cuda_entry.hpp"

#include "groundswell/exec/device/cuda/block.cuh"
#include "groundswell/sea/propagation/device/more_inflow.hpp"

namespace groundswell::sea {

const void* more_inflow_cuda_entry() {
    return exec::cuda_entry<MoreInflow>();
}

}  // namespace groundswell::sea
