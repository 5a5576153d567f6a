#include "groundswell/sea/ice/device/on_device.hpp"

#include <algorithm>

#include "groundswell/sea/ice/device/damping_kernel.hpp"

namespace groundswell::sea {

IceDampingOnDevice::IceDampingOnDevice(exec::Device& device, const SpectralGrid& grid, std::int32_t cells)
    : device_(device),
      stride_(static_cast<int>(grid.stride())),
      frequencies_(grid.frequencies),
      directions_(grid.directions),
      cells_(device, "cells under ice", static_cast<std::size_t>(cells)),
      left_(device, "what ice leaves",
            static_cast<std::size_t>(cells) * static_cast<std::size_t>(frequencies_)) {}

void IceDampingOnDevice::apply(exec::Stream stream, std::span<Real> action,
                               std::span<const std::int32_t> cells, std::span<const Real> left) {
    if (cells.empty()) return;
    device_.copy_in(stream, cells_.span().data(), cells.data(), cells.size_bytes());
    device_.copy_in(stream, left_.span().data(), left.data(), left.size_bytes());
    const IceDampingStep step{action, cells_.span(), left_.span(), stride_, frequencies_, directions_};
    device_.launch(stream, {"ice", static_cast<int>(cells.size()), std::min(128, device_.limits().lanes), 0},
                   {exec::run_block<IceDampingStep>, ice_damping_cuda_entry()}, exec::Arguments::of(step));
}

}  // namespace groundswell::sea
