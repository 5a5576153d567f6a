#include "groundswell/quake/device/cuda_entry.hpp"

namespace groundswell::quake {

template <class Real>
CudaEntries cuda_entries(int) {
    return {};
}

template CudaEntries cuda_entries<float>(int);
template CudaEntries cuda_entries<double>(int);

}  // namespace groundswell::quake
