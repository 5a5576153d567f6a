#pragma once

#include <memory>

#include "groundswell/quake/device/elements_on_device.hpp"
#include "groundswell/quake/device/sides_looked_at.hpp"
#include "groundswell/quake/water/sea_surface.hpp"

namespace groundswell::quake {

/// The surface of a sea on a device, beside the elements there, in the order of their stream. It comes back with the state of
/// its elements.
template <class Real>
class SeaOnDevice final : public SeaElsewhere {
public:
    /// `sea` must outlive this, and `elements` may not be used once this is gone.
    SeaOnDevice(SeaSurface& sea, ElementsOnDevice<Real>& elements);
    ~SeaOnDevice() override;

    void foresee(int block, double seconds) override;
    void step(int block, double seconds) override;
    /// Asks for copies of the surface above some batches, ascending, in the order of the stream.
    void bring(std::span<const std::int32_t> batches);

private:
    struct Memory;
    SeaView view(double seconds);
    /// Parts of the surface's arrays that kernels use, for one block of elements.
    std::vector<exec::ArrayPart> parts_of(int block);

    SeaSurface& sea_;
    ElementsOnDevice<Real>& elements_;
    const SeaParts parts_;
    std::unique_ptr<Memory> memory_;
};

}  // namespace groundswell::quake
