#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/quake/device/elements_on_device.hpp"
#include "groundswell/quake/layer/layer.hpp"

namespace groundswell::quake {

/// Waves that fade on a device, beside the elements there, in the order of their stream. How much a step leaves of them is found once, by
/// the processor: its exponential is the library's, whose bits a device has not.
template <class Real>
class LayerOnDevice {
public:
    /// `seconds`: of a step, [batch]. `elements` may not be used once this is gone.
    LayerOnDevice(const AbsorbingLayer<Real>& layer, ElementsOnDevice<Real>& elements,
                  std::span<const double> seconds);

    /// The end of a step of some batches.
    void fade(BatchRange batches);

private:
    struct Numbers;
    LayerOnDevice(ElementsOnDevice<Real>& elements, const Numbers& numbers);

    ElementsOnDevice<Real>& elements_;
    const std::vector<std::int32_t> batches_;  // that the layer reaches, ascending
    exec::DeviceArray<std::int32_t> batch_;
    exec::DeviceArray<Real> left_;
};

}  // namespace groundswell::quake
