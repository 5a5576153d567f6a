#include "groundswell/sea/propagation/upwind/on_device.hpp"

#include <algorithm>
#include <deque>

#include "groundswell/base/errors.hpp"
#include "groundswell/sea/propagation/kernels.hpp"
#include "groundswell/sea/propagation/tables.hpp"
#include "groundswell/sea/propagation/upwind/cuda_entry.hpp"
#include "groundswell/sea/propagation/upwind/device_kernel.hpp"

namespace groundswell::sea {
namespace {

void refuse_without_device_form(const PropagationTables& t) {
    const auto require = [](bool has_form, const char* what) {
        base::require(has_form, "propagation on a device", what, "", "a case without, or device = \"cpu\"");
    };
    require(!t.flow, "currents or water levels");
    require(!t.inflow, "waves from outside");
    require(t.rotated_edges.empty(), "cells near a pole, whose frames turn");
    for (std::int32_t e = 0; e < t.mesh.edge_offset[t.mesh.owned]; ++e)
        require(t.lets_all_in(e), "obstructed edges");
}

}  // namespace

struct UpwindOnDevice::Memory {
    UpwindTables tables{};
    std::deque<exec::DeviceArray<Real>> numbers;
    std::deque<exec::DeviceArray<std::int32_t>> indices;
    int most_edges = 0;
};

UpwindOnDevice::~UpwindOnDevice() = default;

UpwindOnDevice::UpwindOnDevice(const PropagationTables& t, exec::Device& device, exec::Stream stream)
    : device_(device), memory_(std::make_unique<Memory>()) {
    refuse_without_device_form(t);
    const auto directions = [&](const DirectionTable& table) {
        return std::span(table.data(), static_cast<std::size_t>(t.grid.directions));
    };
    const auto numbers = [&](const char* name, std::span<const Real> values) -> std::span<const Real> {
        return memory_->numbers.emplace_back(device, name, stream, values).span();
    };
    const auto indices = [&](const char* name, std::span<const std::int32_t> values) {
        return std::span<const std::int32_t>(
            memory_->indices.emplace_back(device, name, stream, values).span());
    };
    memory_->most_edges = t.mesh.max_edges;
    memory_->tables = {
        {indices("edge offsets", t.mesh.edge_offset), indices("neighbours", t.mesh.neighbour)},
        {t.grid.directions, t.grid.frequencies, static_cast<std::int64_t>(t.grid.stride())},
        t.frequency_stride,
        t.options.coast == CoastBoundary::absorbing ? 1 : 0,
        t.largest_explicit_outflow,
        numbers("wave numbers", t.wave_number.span()),
        numbers("ratios", t.ratio.span()),
        numbers("outflow rates", t.outflow_rate.span()),
        numbers("edge rates", t.rate),
        numbers("normals, x", t.normal_x),
        numbers("normals, y", t.normal_y),
        numbers("cosines", directions(t.cosine)),
        numbers("sines", directions(t.sine)),
        numbers("turning, upper x", directions(t.turn_upper_x)),
        numbers("turning, upper y", directions(t.turn_upper_y)),
        numbers("turning, lower x", directions(t.turn_lower_x)),
        numbers("turning, lower y", directions(t.turn_lower_y)),
    };
}

void UpwindOnDevice::propagate(exec::Stream stream, std::int32_t begin, std::int32_t end,
                               std::span<Real> n_new, std::span<const Real> n_old, double dt) {
    // Enough lanes to hide that memory is far away, in whole rows of directions.
    constexpr int wanted_lanes = 128;
    const int n = memory_->tables.grid.directions;
    const int most = std::min(wanted_lanes, device_.limits().lanes), parts = std::max(1, most / n);
    const exec::Program program{propagation_kernels().upwind_on_device, upwind_cuda_entry()};
    const UpwindStep step{memory_->tables, n_old, n_new, begin, parts, static_cast<Real>(dt)};
    device_.launch(stream,
                   {"upwind", end - begin, std::min(most, n * parts),
                    UpwindStep::scratch_bytes(memory_->most_edges, n, memory_->tables.grid.frequencies)},
                   program, exec::Arguments::of(step));
}

}  // namespace groundswell::sea
