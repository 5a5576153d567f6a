#pragma once

#include <memory>

#include "groundswell/quake/device/elements_on_device.hpp"
#include "groundswell/quake/plasticity/plasticity.hpp"

namespace groundswell::quake {

/// Rock that yields on a device, beside the elements there, in the order of their stream. Strain and work come back with the state of
/// their elements.
template <class Real>
class PlasticityOnDevice {
public:
    /// `plasticity` must outlive this, and `elements` may not be used once this is gone.
    PlasticityOnDevice(Plasticity<Real>& plasticity, ElementsOnDevice<Real>& elements);
    ~PlasticityOnDevice();
    PlasticityOnDevice& operator=(PlasticityOnDevice&&) = delete;  // neither copied nor moved

    /// The end of a step of some batches, of so many seconds.
    void relax(BatchRange batches, double seconds);

private:
    struct Memory;

    ElementsOnDevice<Real>& elements_;
    const PlasticParts<Real> parts_;
    std::unique_ptr<Memory> memory_;
};

}  // namespace groundswell::quake
