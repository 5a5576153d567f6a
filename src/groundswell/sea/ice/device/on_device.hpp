#pragma once

#include <cstdint>
#include <span>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

/// The damping of cells under ice on a device. How much is left of each frequency is found by the processor, as the ice is: its
/// functions are the library's, whose bits a device has not.
class IceDampingOnDevice {
public:
    /// For up to so many cells; the device lives longer.
    IceDampingOnDevice(exec::Device& device, const SpectralGrid& grid, std::int32_t cells);

    /// Damps these cells of `action`, [cell][stride]. `left`: IceDamping::left(), [cells][frequencies]. Both must stay until the stream has
    /// come to this point.
    void apply(exec::Stream stream, std::span<Real> action, std::span<const std::int32_t> cells,
               std::span<const Real> left);

private:
    exec::Device& device_;
    const int stride_, frequencies_, directions_;
    exec::DeviceArray<std::int32_t> cells_;
    exec::DeviceArray<Real> left_;
};

}  // namespace groundswell::sea
