#include "groundswell/quake/anisotropic.hpp"
#include "groundswell/quake/device/cuda_entry.hpp"
#include "groundswell/quake/viscoelastic.hpp"

namespace groundswell::quake {

template <class Equation, class Real>
CudaEntries cuda_entries(int) {
    return {};
}

template CudaEntries cuda_entries<Elastic, float>(int);
template CudaEntries cuda_entries<Elastic, double>(int);
template CudaEntries cuda_entries<Anisotropic, float>(int);
template CudaEntries cuda_entries<Anisotropic, double>(int);
template CudaEntries cuda_entries<Viscoelastic, float>(int);
template CudaEntries cuda_entries<Viscoelastic, double>(int);

}  // namespace groundswell::quake
