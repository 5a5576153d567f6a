#include "groundswell/sea/clusters/device/cuda_entry.hpp"

namespace groundswell::sea {

const void* image_cuda_entry() {
    return nullptr;
}

}  // namespace groundswell::sea
