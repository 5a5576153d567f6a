#pragma once

#include <memory>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/quake/device/kernels.hpp"
#include "groundswell/quake/elements/elements.hpp"

namespace groundswell::quake {

/// Elements on a device: from now on their state changes there, by the kernels of Elements. All is done in the order of one stream.
template <class Real>
class ElementsOnDevice {
public:
    /// `elements` lie as elastic_device_kernels(order).elements say, and must outlive this, as must the device. A Refusal says so
    /// where there is water.
    ElementsOnDevice(Elements<Real>& elements, exec::Device& device, exec::Stream stream);
    ~ElementsOnDevice();

    void predict(BatchRange batches, Real seconds);
    void predict_pieces(BatchRange batches, Real seconds, int rate);
    void correct(BatchRange batches, int piece);

    /// Copies the state back into the elements, and waits for it.
    void fetch_state();

private:
    struct Memory;
    void launch(const char* name, const exec::Program& program, BatchRange batches, std::size_t scratch,
                ElementsView<Real> view);

    Elements<Real>& elements_;
    const DeviceKernels<Real>& kernels_;
    exec::Device& device_;
    exec::Stream stream_;
    std::unique_ptr<Memory> memory_;
};

}  // namespace groundswell::quake
