#include "groundswell/sea/propagation/second_order/cuda_entry.hpp"

namespace groundswell::sea {

const void* second_order_cuda_entry(bool /*flows*/) {
    return nullptr;
}

const void* second_order_profiles_cuda_entry(bool /*flows*/) {
    return nullptr;
}

}  // namespace groundswell::sea
