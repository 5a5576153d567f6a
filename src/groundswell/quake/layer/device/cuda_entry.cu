#include "groundswell/exec/device/cuda/block.cuh"
#include "groundswell/quake/layer/device/fade.hpp"

namespace groundswell::quake {

template <class Real>
const void* fade_cuda_entry() {
    return exec::cuda_entry<FadeOnDevice<Real>>();
}

template const void* fade_cuda_entry<float>();
template const void* fade_cuda_entry<double>();

}  // namespace groundswell::quake
