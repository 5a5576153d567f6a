#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/sea/propagation/device/flow_step.hpp"
#include "groundswell/sea/propagation/device/more_inflow.hpp"
#include "groundswell/sea/propagation/device/tables.hpp"
#include "groundswell/sea/propagation/on_device.hpp"
#include "groundswell/sea/propagation/tables.hpp"

namespace groundswell::sea {

/// Currents and depths on a device: their tables, and what they do to the spectrum of each cell by itself. Tables are made by the
/// processor, as levels and currents are, and copied when they change.
class FlowOnDevice {
public:
    /// The tables must have a flow; they and the device live longer.
    FlowOnDevice(const PropagationTables& tables, exec::Device& device, exec::Stream stream);

    /// Sets those of DeviceTables that belong to the flow.
    void give(DeviceTables& tables) const;
    std::span<const Real> density() const { return density_.span(); }
    std::span<const Real> current_x() const { return x_.span(); }
    std::span<const Real> current_y() const { return y_.span(); }

    /// Copies what PropagationTables::set_water() has made anew, and shifts `action` of the cells whose depth it has changed.
    void set_water(exec::Stream stream, const DeviceTables& tables, std::span<const std::int32_t> cells,
                   std::span<Real> action);
    /// As FlowKernel::change_spectra().
    void change_spectra(exec::Stream stream, const DeviceTables& tables, std::int32_t begin, std::int32_t end,
                        std::span<Real> n, double dt);

private:
    void copy_water(exec::Stream stream);
    FlowTables tables() const;
    int lanes() const { return std::min(FlowStep::most_lanes, device_.limits().lanes); }

    const PropagationTables& t_;
    exec::Device& device_;
    exec::DeviceArray<Real> drift_, outflow_, x_, y_, strain_, density_, potential_, density_before_,
        potential_before_, directions_, width_, distance_;
    exec::DeviceArray<std::uint8_t> dry_;
    exec::DeviceArray<std::int32_t> cells_;
};

/// Holds what both schemes have on a device: the tables, and what comes over edges between frames and from outside.
class TablesOnDevice : public PropagationOnDevice {
public:
    TablesOnDevice(const PropagationTables& tables, exec::Device& device, exec::Stream stream);

    void let_through(exec::Stream stream) override;
    void let_in(exec::Stream stream) override;
    void set_water(exec::Stream stream, std::span<const std::int32_t> cells, std::span<Real> action) override;
    std::span<const Real> ratios() const override { return tables_.ratio; }
    int frequency_stride() const override { return tables_.frequency_stride; }

protected:
    std::span<const Real> numbers(const char* name, exec::Stream stream, std::span<const Real> values) {
        return numbers_.emplace_back(device_, name, stream, values).span();
    }
    /// Those that set_water() copies once more.
    std::span<const Real> renewed(const char* name, exec::Stream stream, std::span<const Real> values);
    std::span<const std::int32_t> places(const char* name, exec::Stream stream,
                                         std::span<const std::int32_t> values) {
        return places_.emplace_back(device_, name, stream, values).span();
    }

    /// [face][bins] What enters by the faces of Inflow.
    std::span<const Real> beyond_faces() const { return more_.beyond; }
    /// Before the scheme's own launch: MoreInflow for cells of the range.
    void launch_more_inflow(exec::Stream stream, std::int32_t begin, std::int32_t end, std::span<Real> n_new,
                            std::span<const Real> n_old, double dt);

    /// After it: what currents and depths do to the spectra.
    void launch_flow(exec::Stream stream, std::int32_t begin, std::int32_t end, std::span<Real> n_new,
                     double dt) {
        if (flow_) flow_->change_spectra(stream, tables_, begin, end, n_new, dt);
    }

    const PropagationTables& t_;
    exec::Device& device_;
    DeviceTables tables_{};
    std::unique_ptr<FlowOnDevice> flow_;  ///< null without currents and levels

private:
    void copy_islands(exec::Stream stream);
    void copy_cells_with_more_inflow(exec::Stream stream);

    std::deque<exec::DeviceArray<Real>> numbers_;
    std::deque<exec::DeviceArray<std::int32_t>> places_;
    std::vector<std::pair<exec::DeviceArray<Real>*, std::span<const Real>>> renewed_;
    std::unique_ptr<exec::DeviceArray<Real>> passing_, beyond_;
    MoreInflow more_{};
    std::vector<std::int32_t> cells_with_more_;  // ascending
};

}  // namespace groundswell::sea
