#include "groundswell/exec/kernel_entry.hpp"
#include "groundswell/sea/kernels/kernel_set.hpp"
#include "groundswell/sea/propagation/device/flow_step.hpp"
#include "groundswell/sea/propagation/device/more_inflow.hpp"
#include "groundswell/sea/propagation/kernels.hpp"
#include "groundswell/sea/propagation/second_order/profile_step.hpp"
#include "groundswell/sea/propagation/upwind/device_kernel.hpp"

extern "C" const groundswell::sea::KernelSet* GROUNDSWELL_KERNEL_ENTRY(sea)();
extern "C" const groundswell::sea::KernelSet* GROUNDSWELL_KERNEL_ENTRY(sea)() {
    using namespace groundswell;
    using namespace groundswell::sea;
    static constexpr KernelSet kernels = {
        {make_upwind_kernel, make_second_order_kernel, make_flow_kernel, exec::run_block<MoreInflow>,
         exec::run_block<FlowStep>, exec::run_block<DepthStep>, exec::run_block<SecondOrderStep<false>>,
         exec::run_block<SecondOrderStep<true>>, exec::run_block<SecondOrderProfileStep<false>>,
         exec::run_block<SecondOrderProfileStep<true>>, exec::run_block<UpwindStep<lanes::Four>>,
         exec::run_block<UpwindStep<Real>>},
        [](const SpectralGrid& grid, const PhysicsOptions& options) {
            return std::make_unique<SourcePackage>(grid, options);
        },
    };
    return &kernels;
}
