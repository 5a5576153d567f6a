#include "groundswell/exec/device/cuda/block.cuh"
#include "groundswell/sea/propagation/second_order/profile_step.hpp"

namespace groundswell::sea {

const void* second_order_cuda_entry(bool flows) {
    return flows ? exec::cuda_entry<SecondOrderStep<true>>() : exec::cuda_entry<SecondOrderStep<false>>();
}

const void* second_order_profiles_cuda_entry(bool flows) {
    return flows ? exec::cuda_entry<SecondOrderProfileStep<true>>()
                 : exec::cuda_entry<SecondOrderProfileStep<false>>();
}

}  // namespace groundswell::sea
