#include "groundswell/quake/device/kernels.hpp"

#include "groundswell/quake/device/correct.hpp"
#include "groundswell/quake/device/cuda_entry.hpp"
#include "groundswell/quake/device/predict.hpp"
#include "groundswell/quake/device/sides.hpp"
#include "groundswell/quake/elastic.hpp"
#include "groundswell/quake/kernels/step.hpp"

namespace groundswell::quake {
namespace {

// Kernels::differentiate, an element at a time.
template <class Equation, class Real, int order>
void differentiate(const Batch<Real>& batch, Real* derivatives, Real* /*of_memory*/) {
    using Sizes = DeviceSizes<Equation, Real, order>;
    constexpr int lanes = Sizes::lanes;
    for (int lane = 0; lane < lanes; ++lane) {
        std::array<Real, Sizes::derivatives> of_lane;
        for (int i = 0; i < Sizes::state; ++i) of_lane[i] = batch.state[i * lanes + lane];
        derive<Equation, Real, order>(
            take_lane<typename Equation::template Material<Real>, lanes>(batch.material + lane),
            of_lane.data());
        for (int i = 0; i < Sizes::derivatives; ++i) derivatives[i * lanes + lane] = of_lane[i];
    }
}

template <class Equation, class Real, int order>
const DeviceKernels<Real>& kernels_of_order() {
    using Predict = PredictOnDevice<Equation, Real, order>;
    using Correct = CorrectOnDevice<Equation, Real, order>;
    using Sizes = DeviceSizes<Equation, Real, order>;
    static const DeviceKernels<Real> kernels = [] {
        constexpr std::size_t lanes = Sizes::lanes;
        static constexpr const auto& rows = rows_of<Equation, Real, order, Sizes::lanes>;
        const CudaEntries entries = cuda_entries<Real>(order);
        DeviceKernels<Real> all;
        all.elements.layout = {order,
                               Sizes::lanes,
                               Sizes::basis,
                               Sizes::quantities,
                               Sizes::state * lanes,
                               sizeof(typename Predict::Material) / sizeof(Real) * lanes,
                               sizeof(typename Predict::Face) / sizeof(Real) * lanes,
                               Sizes::trace,
                               Sizes::derivatives * lanes};
        all.elements.differentiate = differentiate<Equation, Real, order>;
        all.elements.work = work_of<Equation, order>();
        all.rows = {rows.begin, rows.entry};
        all.predict = {exec::run_block<Predict>, entries.predict};
        all.correct = {exec::run_block<Correct>, entries.correct};
        all.add_sides = {exec::run_block<AddSidesOnDevice<Real>>, entries.add_sides};
        all.move_sides = {exec::run_block<MoveSidesOnDevice<Real>>, entries.move_sides};
        all.predictor_scratch = Predict::scratch_bytes(1);
        all.predictor_of_pieces_scratch = Predict::scratch_bytes(2);
        all.corrector_scratch = Correct::scratch_bytes();
        all.most_lanes = Predict::most_lanes;
        return all;
    }();
    return kernels;
}

template <class Real, int order = lowest_order>
const DeviceKernels<Real>& find(int wanted) {
    if constexpr (order < highest_order) {
        if (order < wanted) return find<Real, order + 1>(wanted);
    }
    return kernels_of_order<Elastic, Real, order>();
}

}  // namespace

template <class Real>
const DeviceKernels<Real>& elastic_device_kernels(int order) {
    GS_ASSERT(order >= lowest_order && order <= highest_order);
    return find<Real>(order);
}

template const DeviceKernels<float>& elastic_device_kernels<float>(int);
template const DeviceKernels<double>& elastic_device_kernels<double>(int);

}  // namespace groundswell::quake
