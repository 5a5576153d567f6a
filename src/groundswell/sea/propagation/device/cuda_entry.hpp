#pragma once

namespace groundswell::sea {

/// exec::Program::entry of MoreInflow; null in a program that was built without CUDA.
const void* more_inflow_cuda_entry();
/// Those of FlowStep and DepthStep.
const void* flow_cuda_entry();
const void* depth_cuda_entry();

}  // namespace groundswell::sea
