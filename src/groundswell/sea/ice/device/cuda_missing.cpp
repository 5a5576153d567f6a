#include "groundswell/sea/ice/device/cuda_entry.hpp"

namespace groundswell::sea {

const void* ice_damping_cuda_entry() {
    return nullptr;
}

}  // namespace groundswell::sea
