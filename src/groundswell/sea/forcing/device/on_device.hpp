#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <span>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/exec/device/mirrored_array.hpp"
#include "groundswell/sea/forcing/forcing.hpp"
#include "groundswell/sea/real.hpp"

namespace groundswell::sea {

/// A kind of forcing with two components on owned cells of a device. Where all its layers are linear between two times it is made there,
/// and only levels that are new are copied; else the host makes it.
class ForcedVectorOnDevice {
public:
    /// Device and forcing live longer; the latter has read the values of some time. Throws a Refusal if there is not enough memory.
    ForcedVectorOnDevice(exec::Device& device, exec::Stream stream, const ForcingKind& kind,
                         const Forcing& forcing, std::size_t cells);

    /// Values at the time that the forcing has read last. It may not read another before the stream has come to this point.
    void make(exec::Stream stream);
    std::span<const Real> eastward() const { return eastward_.span(); }
    std::span<const Real> northward() const { return northward_.span(); }

private:
    /// The two levels of a component that the device has.
    struct Levels {
        Levels(exec::Device& device, std::size_t cells);
        std::optional<std::size_t> record[2];
        exec::DeviceArray<double> values[2];
    };
    struct Layer {
        Layer(exec::Device& device, exec::Stream stream, const LinearLayer& here, std::size_t cells);
        Levels components[2];
        std::optional<exec::DeviceArray<double>> cosine, sine, share;
    };
    void bring(exec::Stream stream, Levels& levels, gridded::LinearInTime& component);
    void take_from_host(exec::Stream stream);

    exec::Device& device_;
    const ForcingKind& kind_;
    const Forcing& forcing_;
    const std::size_t cells_;
    std::deque<Layer> layers_;                  // none: the host makes it
    exec::DeviceArray<double> first_, second_;  // [cells] as LayerStep has them; empty if there are none
    exec::MirroredArray<Real> eastward_, northward_;
};

/// FeltWind of owned cells on a device.
class FeltWindOnDevice {
public:
    /// As ForcedVectorOnDevice. `relative`: to the current.
    FeltWindOnDevice(exec::Device& device, exec::Stream stream, const Forcing& forcing, std::size_t cells,
                     bool relative);

    /// As ForcedVectorOnDevice::make().
    void make(exec::Stream stream);
    std::span<const Real> speed() const { return speed_.span(); }
    std::span<const Real> x() const { return x_.span(); }
    std::span<const Real> y() const { return y_.span(); }

private:
    exec::Device& device_;
    ForcedVectorOnDevice wind_;
    std::optional<ForcedVectorOnDevice> current_;
    exec::DeviceArray<Real> speed_, x_, y_;
};

}  // namespace groundswell::sea
