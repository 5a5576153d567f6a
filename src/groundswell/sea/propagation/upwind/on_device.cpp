#include <algorithm>

#include "groundswell/sea/propagation/device/tables_on_device.hpp"
#include "groundswell/sea/propagation/kernels.hpp"
#include "groundswell/sea/propagation/tables.hpp"
#include "groundswell/sea/propagation/upwind/device_kernel.hpp"

namespace groundswell::sea {
namespace {

class UpwindOnDevice final : public TablesOnDevice {
public:
    using TablesOnDevice::TablesOnDevice;

    void propagate(exec::Stream stream, std::int32_t begin, std::int32_t end, std::span<Real> n_new,
                   std::span<const Real> n_old, double dt) override {
        launch_more_inflow(stream, begin, end, n_new, n_old, dt);
        if (t_.grid.directions % lanes::Four::values == 0)
            launch<lanes::Four>(stream, begin, end, n_new, n_old, dt,
                                {propagation_kernels().upwind_of_fours, upwind_cuda_entry(true)});
        else
            launch<Real>(stream, begin, end, n_new, n_old, dt,
                         {propagation_kernels().upwind_of_bins, upwind_cuda_entry(false)});
        launch_flow(stream, begin, end, n_new, dt);
    }

private:
    template <class Lane>
    void launch(exec::Stream stream, std::int32_t begin, std::int32_t end, std::span<Real> n_new,
                std::span<const Real> n_old, double dt, const exec::Program& program) {
        // Small blocks: while one prepares its cell, others have bins to work on. 36 directions and 35 frequencies fill them.
        using Step = UpwindStep<Lane>;
        const int n = t_.grid.directions, groups = n / Step::values,
                  lanes = std::min(Step::most_lanes, device_.limits().lanes);
        const Step step{tables_,
                        n_old,
                        n_new,
                        begin,
                        std::max(1, lanes / groups),
                        t_.mesh.max_edges,
                        0,
                        static_cast<Real>(dt)};
        device_.launch(
            stream,
            {"upwind", end - begin, lanes, Step::scratch_bytes(t_.mesh.max_edges, n, t_.grid.frequencies)},
            program, exec::Arguments::of(step));
    }
};

}  // namespace

std::unique_ptr<PropagationOnDevice> make_upwind_on_device(const PropagationTables& tables,
                                                           exec::Device& device, exec::Stream stream) {
    return std::make_unique<UpwindOnDevice>(tables, device, stream);
}

}  // namespace groundswell::sea
