#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/sea/real.hpp"

namespace groundswell::sea {

class PropagationTables;

/// A scheme of propagation on a device, where its tables are from now on: with the bits of the processor's form.
class PropagationOnDevice {
public:
    virtual ~PropagationOnDevice() = default;

    /// As Propagator::propagate_cells(), with the state in the memory of the device.
    virtual void propagate(exec::Stream stream, std::int32_t begin, std::int32_t end, std::span<Real> n_new,
                           std::span<const Real> n_old, double dt) = 0;

    /// Copies what Propagator::let_through() has set to the device. The host's must stay as it is until the stream has come to this
    /// point, here as in let_in().
    virtual void let_through(exec::Stream stream) = 0;
    /// Copies what enters from outside now (Propagator::let_in()) to the device; nothing where nothing enters.
    virtual void let_in(exec::Stream stream) = 0;
    /// Copies what Propagator::set_water() has made anew, and shifts `action`, [cell][stride], of `cells`, those that it has returned,
    /// with their depth; none where the action is of this water already.
    virtual void set_water(exec::Stream stream, std::span<const std::int32_t> cells,
                           std::span<Real> action) = 0;

    /// Images of cells that step at other rates: ratios of all cells, [cell][frequency_stride], and as those of Propagator for the second order,
    /// where all arrays are of the device; elsewhere faces have no more than N says.
    virtual std::span<const Real> ratios() const = 0;
    virtual int frequency_stride() const = 0;
    virtual void use_images(std::int32_t /*first*/, std::span<Real> /*profiles*/,
                            std::span<const std::int32_t> /*image_of_cell*/) {}
    virtual void set_profiles(exec::Stream /*stream*/, std::span<const std::int32_t> /*cells*/,
                              std::int32_t /*first*/, std::span<const Real> /*n_old*/, double /*dt*/) {}
    virtual void add_half_profiles(bool /*add*/) {}
};

/// The scheme of the tables' options. The device and the tables live longer; the tables must stay as they are until the stream has come
/// to this point.
std::unique_ptr<PropagationOnDevice> make_propagation_on_device(const PropagationTables& tables,
                                                                exec::Device& device, exec::Stream stream);

/// Those of one scheme each.
std::unique_ptr<PropagationOnDevice> make_upwind_on_device(const PropagationTables& tables,
                                                           exec::Device& device, exec::Stream stream);
std::unique_ptr<PropagationOnDevice> make_second_order_on_device(const PropagationTables& tables,
                                                                 exec::Device& device, exec::Stream stream);

}  // namespace groundswell::sea
