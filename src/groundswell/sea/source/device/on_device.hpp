#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/sea/source/device/block/device_cells.hpp"
#include "groundswell/sea/source/ocean_exchange.hpp"

namespace groundswell::sea {

class SourcePackage;

/// The source terms on a device, where their tables are from now on. A Refusal names a term that has no form for devices.
class SourcesOnDevice {
public:
    /// The device lives longer; the package must stay as it is until the stream has come to this point.
    SourcesOnDevice(const SourcePackage& package, exec::Device& device, exec::Stream stream);
    ~SourcesOnDevice();

    /// SourcePackage::integrate_cell() of the cells begin ≤ cell < end for `step` seconds, in one launch.
    void integrate(exec::Stream stream, std::int32_t begin, std::int32_t end, const DeviceCells& cells,
                   double step);

    /// SourcePackage::find_exchange() of all cells for their shares of open water, [cell], before a step of so many seconds. Valid until
    /// the next call. Waits for the stream.
    std::span<const OceanExchange> exchanges(exec::Stream stream, const DeviceCells& cells, double step);

    /// The lowest cell so far whose outcome was not sane, with its action and state as they were before; -1 if there is none.
    /// Waits for the stream.
    std::int32_t lowest_bad_cell(exec::Stream stream);

private:
    template <class Kernel>
    void launch(exec::Stream stream, const char* name, const Kernel& kernel, std::int32_t blocks,
                const exec::Program& program);

    struct Memory;
    exec::Device& device_;
    const std::unique_ptr<Memory> memory_;
};

}  // namespace groundswell::sea
