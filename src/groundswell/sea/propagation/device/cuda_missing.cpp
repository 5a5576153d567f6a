#include "groundswell/sea/propagation/device/cuda_entry.hpp"

namespace groundswell::sea {

const void* more_inflow_cuda_entry() {
    return nullptr;
}

const void* flow_cuda_entry() {
    return nullptr;
}
const void* depth_cuda_entry() {
    return nullptr;
}

}  // namespace groundswell::sea
