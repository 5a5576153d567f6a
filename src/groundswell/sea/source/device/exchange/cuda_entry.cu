#include "groundswell/exec/device/cuda/block.cuh"
#include "groundswell/sea/source/device/exchange/exchange_kernel.hpp"

namespace groundswell::sea {

const void* exchange_cuda_entry() {
    return exec::cuda_entry<ExchangeStep>();
}

}  // namespace groundswell::sea
