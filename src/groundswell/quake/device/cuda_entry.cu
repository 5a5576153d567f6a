#include "groundswell/quake/device/cuda_entry.hpp"

#include "groundswell/exec/device/cuda/block.cuh"
#include "groundswell/quake/device/correct.hpp"
#include "groundswell/quake/device/predict.hpp"
#include "groundswell/quake/device/sides.hpp"
#include "groundswell/quake/elastic.hpp"

namespace groundswell::quake {
namespace {

template <class Real, int order = lowest_order>
CudaEntries find(int wanted) {
    if constexpr (order < highest_order) {
        if (order < wanted) return find<Real, order + 1>(wanted);
    }
    return {exec::cuda_entry<PredictOnDevice<Elastic, Real, order>>(),
            exec::cuda_entry<CorrectOnDevice<Elastic, Real, order>>(),
            exec::cuda_entry<AddSidesOnDevice<Real>>(), exec::cuda_entry<MoveSidesOnDevice<Real>>()};
}

}  // namespace

template <class Real>
CudaEntries cuda_entries(int order) {
    return find<Real>(order);
}

template CudaEntries cuda_entries<float>(int);
template CudaEntries cuda_entries<double>(int);

}  // namespace groundswell::quake
