#pragma once

#include <cstdint>
#include <span>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/sea/propagation/device/flow_step.hpp"
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
    int lanes() const;

    const PropagationTables& t_;
    exec::Device& device_;
    exec::DeviceArray<Real> drift_, outflow_, x_, y_, strain_, density_, potential_, density_before_,
        potential_before_, directions_, width_, distance_;
    exec::DeviceArray<std::uint8_t> dry_;
    exec::DeviceArray<std::int32_t> cells_;
};

}  // namespace groundswell::sea
