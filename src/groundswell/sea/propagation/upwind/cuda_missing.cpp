#include "groundswell/sea/propagation/upwind/cuda_entry.hpp"

namespace groundswell::sea {

const void* upwind_cuda_entry(bool /*four_directions*/) {
    return nullptr;
}

}  // namespace groundswell::sea
