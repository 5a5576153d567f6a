#include "groundswell/quake/device/cuda_entry.hpp"

namespace groundswell::quake {

template <class Real>
CudaEntries cuda_entries(int, bool) {
    return {};
}

template CudaEntries cuda_entries<float>(int, bool);
template CudaEntries cuda_entries<double>(int, bool);

}  // namespace groundswell::quake
