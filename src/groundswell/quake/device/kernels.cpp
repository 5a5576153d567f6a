#include "groundswell/quake/device/kernels.hpp"

#include <array>

#include "groundswell/quake/device/correct.hpp"
#include "groundswell/quake/device/cuda_entry.hpp"
#include "groundswell/quake/device/look.hpp"
#include "groundswell/quake/device/predictor.hpp"
#include "groundswell/quake/device/probe.hpp"
#include "groundswell/quake/device/relax.hpp"
#include "groundswell/quake/device/sides.hpp"
#include "groundswell/quake/kernels/memory.hpp"
#include "groundswell/quake/kernels/step.hpp"

namespace groundswell::quake {
namespace {

// Kernels::differentiate, an element at a time.
template <class Equation, class Real, int order>
class Differentiate {
    using Sizes = DeviceSizes<Equation, Real, order>;
    using Material = typename Equation::template Material<Real>;
    static constexpr int lanes = Sizes::lanes, state = Sizes::state;

    static void spread(const Real* from, int values, Real* to) {
        for (int i = 0; i < values; ++i) to[i * lanes] = from[i];
    }
    static void gather(const Real* from, int values, Real* to) {
        for (int i = 0; i < values; ++i) to[i] = from[i * lanes];
    }
    static void of_lane(const Batch<Real>& batch, int lane, Real* derivatives, Real* of_memory) {
        const Material material = take_lane<Material, lanes>(batch.material + lane);
        if constexpr (Equation::remembers) {
            using OfMechanism = typename Equation::template Mechanism<Real>;
            constexpr int most = Equation::most_mechanisms;
            const int remembered = Sizes::basis * batch.mechanisms * Equation::strains;
            std::array<OfMechanism, most> mechanism;
            const Real* const first = batch.material + sizeof(Material) / sizeof(Real) * lanes + lane;
            for (int l = 0; l < batch.mechanisms; ++l)
                mechanism[l] =
                    take_lane<OfMechanism, lanes>(first + l * sizeof(OfMechanism) / sizeof(Real) * lanes);
            std::array<Real, state> q;
            std::array<Real, Sizes::basis * most * Equation::strains> theta;
            gather(batch.state + lane, state, q.data());
            gather(batch.memory + lane, remembered, theta.data());
            derive_with_memory<Equation, Real, order>(
                material, mechanism.data(), batch.mechanisms, q.data(), theta.data(),
                [&](int k, const Real* derivative) {
                    const int shown = basis_size(order - k) * Sizes::quantities;
                    spread(derivative, shown, derivatives);
                    derivatives += shown * lanes;
                },
                [&](int k, const Real* derivative) {
                    if (of_memory != nullptr)
                        spread(derivative, remembered, of_memory + k * remembered * lanes);
                });
        } else {
            std::array<Real, Sizes::derivatives> all;
            gather(batch.state + lane, state, all.data());
            derive<Equation, Real, order>(material, all.data());
            spread(all.data(), Sizes::derivatives, derivatives);
        }
    }

public:
    static void batch(const Batch<Real>& batch, Real* derivatives, Real* of_memory) {
        for (int lane = 0; lane < lanes; ++lane)
            of_lane(batch, lane, derivatives + lane, of_memory == nullptr ? nullptr : of_memory + lane);
    }
};

// `OfMatrices`: that of the matrices' rows.
template <class Equation, class Real, int order, class OfMatrices = Equation>
typename DeviceKernels<Real>::Waves waves_of(const void* predict, const void* correct) {
    using Predict = Predictor<Equation, Real, order>;
    using Correct = CorrectOnDevice<Equation, Real, order>;
    static constexpr const auto& rows = rows_of<OfMatrices, Real, order, Predict::lanes>;
    return {{rows.begin, rows.entry},
            {exec::run_block<Predict>, predict},
            {exec::run_block<Correct>, correct},
            Predict::scratch_bytes,
            Correct::scratch_bytes()};
}

template <class Equation, class Real, int order>
BatchLayout layout_of() {
    using Predict = Predictor<Equation, Real, order>;
    using Sizes = DeviceSizes<Equation, Real, order>;
    constexpr std::size_t lanes = Sizes::lanes;
    return {order,
            Sizes::lanes,
            Sizes::basis,
            Sizes::quantities,
            Sizes::state * lanes,
            sizeof(typename Predict::Material) / sizeof(Real) * lanes,
            sizeof(typename Predict::Face) / sizeof(Real) * lanes,
            Sizes::trace,
            Sizes::derivatives * lanes};
}

// Batches of it lie among those of other rock, and differ in their material and faces.
template <class Real, int order>
void add_anisotropic(DeviceKernels<Real>& all) {
    using Look = LookOnDevice<Anisotropic, Real, order>;
    static_assert(Look::lanes == DeviceSizes<Elastic, Real, order>::lanes);
    const CudaEntries entries = cuda_entries<Anisotropic, Real>(order);
    all.anisotropic = waves_of<Anisotropic, Real, order, Elastic>(entries.predict, entries.correct);
    all.look_at_anisotropic = {exec::run_block<Look>, entries.look};
    all.probe_anisotropic = {exec::run_block<ProbeOnDevice<Anisotropic, Real, order>>, entries.probe};
    static const Kernels<Real> elements = [] {
        Kernels<Real> kernels{};
        kernels.layout = layout_of<Anisotropic, Real, order>();
        kernels.work = work_of<Anisotropic, order>();
        kernels.differentiate = Differentiate<Anisotropic, Real, order>::batch;
        return kernels;
    }();
    all.elements.of_anisotropic = &elements;
}

template <class Equation, class Real, int order>
DeviceKernels<Real> make(int mechanisms) {
    using Predict = Predictor<Equation, Real, order>;
    using Sizes = DeviceSizes<Equation, Real, order>;
    const CudaEntries entries = cuda_entries<Equation, Real>(order);
    DeviceKernels<Real> all;
    all.rock = waves_of<Equation, Real, order>(entries.predict, entries.correct);
    all.water = waves_of<WaterBeside<Equation, Real, order>, Real, order>(entries.predict_water,
                                                                          entries.correct_water);
    static const Kernels<Real> of_water{};  // is there, and computes on devices alone
    all.elements.of_water = &of_water;
    BatchLayout& layout = all.elements.layout;
    layout = layout_of<Equation, Real, order>();
    if constexpr (Equation::remembers) {
        constexpr std::size_t lanes = Sizes::lanes;
        layout.mechanisms = mechanisms;
        layout.material += static_cast<std::size_t>(mechanisms) *
                           sizeof(typename Equation::template Mechanism<Real>) / sizeof(Real) * lanes;
        layout.memory = static_cast<std::size_t>(Sizes::basis) * mechanisms * Equation::strains * lanes;
    } else {
        add_anisotropic<Real, order>(all);
    }
    all.elements.differentiate = Differentiate<Equation, Real, order>::batch;
    all.elements.work = work_of<Equation, order>();
    using Look = LookOnDevice<Equation, Real, order>;
    using Probe = ProbeOnDevice<Equation, Real, order>;
    static_assert(sizeof(Look) == sizeof(LookView<Real, SideLooks>));
    static_assert(sizeof(Probe) == sizeof(LookView<Real, ProbeLooks>));
    all.look = {exec::run_block<Look>, entries.look};
    all.probe = {exec::run_block<Probe>, entries.probe};
    all.look_scratch = Look::scratch_bytes;
    all.add_sides = {exec::run_block<AddSidesOnDevice<Real>>, entries.add_sides};
    all.move_sides = {exec::run_block<MoveSidesOnDevice<Real>>, entries.move_sides};
    all.meet_sea = {exec::run_block<MeetSeaOnDevice<Real>>, entries.meet_sea};
    all.relax = {exec::run_block<RelaxOnDevice<Real>>, entries.relax};
    all.most_lanes = Predict::most_lanes;
    return all;
}

template <class Real, int order = lowest_order>
const DeviceKernels<Real>& find(int wanted, int mechanisms) {
    if constexpr (order < highest_order) {
        if (order < wanted) return find<Real, order + 1>(wanted, mechanisms);
    }
    static const auto all = [] {
        std::array<DeviceKernels<Real>, 1 + Viscoelastic::most_mechanisms> kernels;
        kernels[0] = make<Elastic, Real, order>(0);
        for (int n = 1; n <= Viscoelastic::most_mechanisms; ++n)
            kernels[n] = make<Viscoelastic, Real, order>(n);
        return kernels;
    }();
    return all[mechanisms];
}

}  // namespace

template <class Real>
const DeviceKernels<Real>& wave_device_kernels(int order, int mechanisms) {
    GS_ASSERT(order >= lowest_order && order <= highest_order);
    GS_ASSERT(mechanisms >= 0 && mechanisms <= Viscoelastic::most_mechanisms);
    return find<Real>(order, mechanisms);
}

template const DeviceKernels<float>& wave_device_kernels<float>(int, int);
template const DeviceKernels<double>& wave_device_kernels<double>(int, int);

}  // namespace groundswell::quake
