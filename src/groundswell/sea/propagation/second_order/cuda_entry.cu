#include "groundswell/sea/propagation/second_order/cuda_entry.hpp"

#include "groundswell/exec/device/cuda/block.cuh"
#include "groundswell/sea/propagation/second_order/device_kernel.hpp"

namespace groundswell::sea {

const void* second_order_cuda_entry() {
    return exec::cuda_entry<SecondOrderStep>();
}

}  // namespace groundswell::sea
