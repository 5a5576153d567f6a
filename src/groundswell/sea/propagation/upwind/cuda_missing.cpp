#include "groundswell/sea/propagation/upwind/cuda_entry.hpp"

namespace groundswell::sea {

const void* upwind_cuda_entry() {
    return nullptr;
}

}  // namespace groundswell::sea
