#include "groundswell/sea/source/device/cuda_entry.hpp"

namespace groundswell::sea {

const void* source_cuda_entry() {
    return nullptr;
}

}  // namespace groundswell::sea
