#include "groundswell/quake/layer/device/fade.hpp"

namespace groundswell::quake {

template <class Real>
const void* fade_cuda_entry() {
    return nullptr;
}

template const void* fade_cuda_entry<float>();
template const void* fade_cuda_entry<double>();

}  // namespace groundswell::quake
