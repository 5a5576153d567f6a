#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/sea/source/source_term.hpp"

namespace groundswell::sea {

class SourcePackage;

/// Cells as a device has them, by their numbers. Spectra are rows of `stride` values, those of waves of `frequency_stride`.
struct DeviceCells {
    std::int64_t stride = 0;
    int frequency_stride = 0;
    std::span<Real> action;                                   ///< [cell][stride]
    std::span<SourceState> state;                             ///< [cell]
    std::span<const Real> wind_speed, wind_x, wind_y, depth;  ///< [cell] as in CellConditions
    std::span<const Real>
        open;  ///< [cell] the share of the step for which sources act; 0: the cell stays as it is
    std::span<const Real> wave_number, group_speed;  ///< [cell][frequency_stride]
};

/// The source terms on a device, where their tables are from now on. A Refusal names a term that has no form for devices.
class SourcesOnDevice {
public:
    /// The device lives longer; the package must stay as it is until the stream has come to this point.
    SourcesOnDevice(const SourcePackage& package, exec::Device& device, exec::Stream stream);
    ~SourcesOnDevice();

    /// SourcePackage::integrate_cell() of the cells begin ≤ cell < end for `step` seconds, in one launch.
    void integrate(exec::Stream stream, std::int32_t begin, std::int32_t end, const DeviceCells& cells,
                   double step);

    /// The lowest cell so far whose outcome was not sane, with its action and state as they were before; -1 if there is none.
    /// Waits for the stream.
    std::int32_t lowest_bad_cell(exec::Stream stream);

private:
    struct Memory;
    exec::Device& device_;
    const std::unique_ptr<Memory> memory_;
};

}  // namespace groundswell::sea
