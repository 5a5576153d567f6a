#include "groundswell/quake/device/cuda_entry.hpp"

#include "groundswell/exec/device/cuda/block.cuh"
#include "groundswell/quake/device/correct.hpp"
#include "groundswell/quake/device/look.hpp"
#include "groundswell/quake/device/predictor.hpp"
#include "groundswell/quake/device/probe.hpp"
#include "groundswell/quake/device/relax.hpp"
#include "groundswell/quake/device/sides.hpp"

namespace groundswell::quake {
namespace {

template <class Equation, class Real, int order = lowest_order>
CudaEntries find(int wanted) {
    if constexpr (order < highest_order) {
        if (order < wanted) return find<Equation, Real, order + 1>(wanted);
    }
    return {exec::cuda_entry<Predictor<Equation, Real, order>>(),
            exec::cuda_entry<CorrectOnDevice<Equation, Real, order>>(),
            exec::cuda_entry<Predictor<WaterBeside<Equation, Real, order>, Real, order>>(),
            exec::cuda_entry<CorrectOnDevice<WaterBeside<Equation, Real, order>, Real, order>>(),
            exec::cuda_entry<LookOnDevice<Equation, Real, order>>(),
            exec::cuda_entry<ProbeOnDevice<Equation, Real, order>>(),
            exec::cuda_entry<AddSidesOnDevice<Real>>(),
            exec::cuda_entry<MoveSidesOnDevice<Real>>(),
            exec::cuda_entry<RelaxOnDevice<Real>>(),
            exec::cuda_entry<MeetSeaOnDevice<Real>>()};
}

}  // namespace

template <class Equation, class Real>
CudaEntries cuda_entries(int order) {
    return find<Equation, Real>(order);
}

template CudaEntries cuda_entries<Elastic, float>(int);
template CudaEntries cuda_entries<Elastic, double>(int);
template CudaEntries cuda_entries<Anisotropic, float>(int);
template CudaEntries cuda_entries<Anisotropic, double>(int);
template CudaEntries cuda_entries<Viscoelastic, float>(int);
template CudaEntries cuda_entries<Viscoelastic, double>(int);

}  // namespace groundswell::quake
