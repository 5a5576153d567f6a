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
};

/// The scheme of the tables' options. The device and the tables live longer; the tables must stay as they are until the stream has come
/// to this point. A Refusal says what has no such form: currents, water levels.
std::unique_ptr<PropagationOnDevice> make_propagation_on_device(const PropagationTables& tables,
                                                                exec::Device& device, exec::Stream stream);

/// Those of one scheme each.
std::unique_ptr<PropagationOnDevice> make_upwind_on_device(const PropagationTables& tables,
                                                           exec::Device& device, exec::Stream stream);
std::unique_ptr<PropagationOnDevice> make_second_order_on_device(const PropagationTables& tables,
                                                                 exec::Device& device, exec::Stream stream);

}  // namespace groundswell::sea
