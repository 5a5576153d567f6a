#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/sea/real.hpp"

namespace groundswell::sea {

class PropagationTables;

/// The first-order scheme on a device, where its tables are from now on. It has not all that the processor's form has: a Refusal
/// says so where there are currents or levels, waves from outside, obstructed edges, or cells whose frames turn.
class UpwindOnDevice {
public:
    /// The device lives longer; the tables must stay as they are until the stream has come to this point.
    UpwindOnDevice(const PropagationTables& tables, exec::Device& device, exec::Stream stream);
    ~UpwindOnDevice();

    /// A step of `dt` seconds of the cells begin ≤ cell < end, whose state is [cell][grid.stride()], in one launch.
    void propagate(exec::Stream stream, std::int32_t begin, std::int32_t end, std::span<Real> n_new,
                   std::span<const Real> n_old, double dt);

private:
    struct Memory;
    exec::Device& device_;
    const std::unique_ptr<Memory> memory_;
};

}  // namespace groundswell::sea
