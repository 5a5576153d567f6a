#include "groundswell/exec/device/cuda/block.cuh"
#include "groundswell/sea/propagation/device/flow_step.hpp"
#include "groundswell/sea/propagation/device/more_inflow.hpp"

namespace groundswell::sea {

const void* more_inflow_cuda_entry() {
    return exec::cuda_entry<MoreInflow>();
}

const void* flow_cuda_entry() {
    return exec::cuda_entry<FlowStep>();
}
const void* depth_cuda_entry() {
    return exec::cuda_entry<DepthStep>();
}

}  // namespace groundswell::sea
