#pragma once

#include <deque>
#include <memory>

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

protected:
    std::span<const Real> numbers(const char* name, exec::Stream stream, std::span<const Real> values);
    std::span<const std::int32_t> places(const char* name, exec::Stream stream,
                                         std::span<const std::int32_t> values);

    /// [face][bins] What enters by the faces of Inflow.
    std::span<const Real> beyond_faces() const { return more_.beyond; }
    /// Before the scheme's own launch: MoreInflow for cells of the range.
    void launch_more_inflow(exec::Stream stream, std::int32_t begin, std::int32_t end, std::span<Real> n_new,
                            std::span<const Real> n_old, double dt);

    const PropagationTables& t_;
    exec::Device& device_;
    DeviceTables tables_{};

private:
    void copy_islands(exec::Stream stream);
    void copy_cells_with_more_inflow(exec::Stream stream);

    std::deque<exec::DeviceArray<Real>> numbers_;
    std::deque<exec::DeviceArray<std::int32_t>> places_;
    std::unique_ptr<exec::DeviceArray<Real>> passing_, beyond_;
    MoreInflow more_{};
    std::vector<std::int32_t> cells_with_more_;  // ascending
};

}  // namespace groundswell::sea
