#pragma once

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "groundswell/sea/propagation/device/flow_on_device.hpp"
#include "groundswell/sea/propagation/device/more_inflow.hpp"
#include "groundswell/sea/propagation/device/tables.hpp"
#include "groundswell/sea/propagation/on_device.hpp"

namespace groundswell::sea {

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
    std::span<const Real> numbers(const char* name, exec::Stream stream, std::span<const Real> values);
    /// Those that set_water() copies once more.
    std::span<const Real> renewed(const char* name, exec::Stream stream, std::span<const Real> values);
    std::span<const std::int32_t> places(const char* name, exec::Stream stream,
                                         std::span<const std::int32_t> values);

    /// [face][bins] What enters by the faces of Inflow.
    std::span<const Real> beyond_faces() const { return more_.beyond; }
    /// Before the scheme's own launch: MoreInflow for cells of the range.
    void launch_more_inflow(exec::Stream stream, std::int32_t begin, std::int32_t end, std::span<Real> n_new,
                            std::span<const Real> n_old, double dt);

    /// After it: what currents and depths do to the spectra.
    void launch_flow(exec::Stream stream, std::int32_t begin, std::int32_t end, std::span<Real> n_new,
                     double dt);

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
