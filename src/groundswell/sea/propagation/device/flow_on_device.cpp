#include "groundswell/sea/propagation/device/flow_on_device.hpp"

#include <algorithm>
#include <vector>

#include "groundswell/sea/propagation/device/cuda_entry.hpp"
#include "groundswell/sea/propagation/flow/frequency_shift.hpp"
#include "groundswell/sea/propagation/kernels.hpp"

namespace groundswell::sea {
namespace {

// Four numbers each.
template <class Four>
std::span<const Real> as_numbers(const std::vector<Four>& fours) {
    static_assert(sizeof(Four) == 4 * sizeof(Real));
    return {reinterpret_cast<const Real*>(fours.data()), 4 * fours.size()};
}

}  // namespace

FlowOnDevice::FlowOnDevice(const PropagationTables& t, exec::Device& device, exec::Stream stream)
    : t_(t),
      device_(device),
      drift_(device, "currents over edges", t.flow->drift.size()),
      outflow_(device, "outflow by currents", t.flow->outflow.size()),
      x_(device, "currents, x", t.flow->x.size()),
      y_(device, "currents, y", t.flow->y.size()),
      strain_(device, "strain of currents", 4 * t.flow->strain.size()),
      density_(device, "k/cg", t.flow->all_densities().size()),
      potential_(device, "half of k squared", density_.span().size()),
      density_before_(device, "k/cg before", density_.span().size()),
      potential_before_(device, "half of k squared before", density_.span().size()),
      directions_(device, "directions of strain", 4 * static_cast<std::size_t>(t.grid.directions)),
      width_(device, "widths of frequencies", static_cast<std::size_t>(t.grid.frequencies)),
      distance_(device, "distances of frequencies", static_cast<std::size_t>(t.grid.frequencies)),
      dry_(device, "dry cells", t.flow->dry.size()),
      cells_(device, "cells of other depth", static_cast<std::size_t>(t.mesh.owned)) {
    const std::vector<flow_formulas::StrainedDirection> directions = Flow::strained_directions(t.grid);
    const std::vector<Real> width = FrequencyShift::widths(t.grid),
                            distance = FrequencyShift::distances(t.grid);
    const auto copy = [&](exec::DeviceArray<Real>& to, std::span<const Real> from) {
        device.copy_in(stream, to.span().data(), from.data(), from.size_bytes());
    };
    copy(directions_, as_numbers(directions));
    copy(width_, width);
    copy(distance_, distance);
    copy_water(stream);
    device.synchronise(stream);  // the host's arrays go away
}

void FlowOnDevice::copy_water(exec::Stream stream) {
    const Flow& flow = *t_.flow;
    const auto copy = [&](exec::DeviceArray<Real>& to, std::span<const Real> from) {
        device_.copy_in(stream, to.span().data(), from.data(), from.size_bytes());
    };
    copy(drift_, flow.drift);
    copy(outflow_, flow.outflow);
    copy(x_, flow.x);
    copy(y_, flow.y);
    copy(strain_, as_numbers(flow.strain));
    copy(density_, flow.all_densities());
    copy(potential_, flow.all_potentials());
    device_.copy_in(stream, dry_.span().data(), flow.dry.data(), flow.dry.size());
}

void FlowOnDevice::give(DeviceTables& tables) const {
    if (t_.options.currents) {
        tables.drift = drift_.span();
        tables.drift_outflows = outflow_.span();
    }
    tables.dry = dry_.span();
}

FlowTables FlowOnDevice::tables() const {
    return {t_.flow->row_length(), t_.options.turning ? 1 : 0, Flow::per_radian(t_.grid), strain_.span(),
            density_.span(),       potential_.span(),          directions_.span(),        width_.span(),
            distance_.span()};
}

int FlowOnDevice::lanes() const {
    return std::min(FlowStep::most_lanes, device_.limits().lanes);
}

void FlowOnDevice::set_water(exec::Stream stream, const DeviceTables& of_cells,
                             std::span<const std::int32_t> cells, std::span<Real> action) {
    if (!cells.empty()) {
        const std::size_t bytes = density_.span().size_bytes();
        device_.copy_within(stream, density_before_.span().data(), density_.span().data(), bytes);
        device_.copy_within(stream, potential_before_.span().data(), potential_.span().data(), bytes);
        device_.copy_in(stream, cells_.span().data(), cells.data(), cells.size_bytes());
    }
    copy_water(stream);
    if (cells.empty()) return;
    const DepthStep step{
        of_cells, tables(), action, cells_.span(), density_before_.span(), potential_before_.span()};
    device_.launch(stream,
                   {"depth", static_cast<int>(cells.size()), lanes(),
                    SpectrumOfBlock<exec::Block>::scratch_bytes(t_.grid.frequencies, t_.grid.directions)},
                   {propagation_kernels().depth_step, depth_cuda_entry()}, exec::Arguments::of(step));
}

void FlowOnDevice::change_spectra(exec::Stream stream, const DeviceTables& of_cells, std::int32_t begin,
                                  std::int32_t end, std::span<Real> n, double dt) {
    if (begin == end) return;
    const FlowStep step{of_cells, tables(), n, begin, static_cast<Real>(dt)};
    device_.launch(stream,
                   {"flow", end - begin, lanes(),
                    SpectrumOfBlock<exec::Block>::scratch_bytes(t_.grid.frequencies, t_.grid.directions)},
                   {propagation_kernels().flow_step, flow_cuda_entry()}, exec::Arguments::of(step));
}

}  // namespace groundswell::sea
