#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/sea/forcing/linear_layer.hpp"
#include "groundswell/sea/real.hpp"

namespace groundswell::sea {

/// Layers of the wind and of the current that it is felt relative to, of these none where it is not: Forcing::linear_layers().
struct WindLayers {
    std::vector<LinearLayer> wind, current;
};

/// The wind on a device, which holds the values of its layers at the two times that they are linear between. They are copied when a layer
/// comes to another record, and in between a weight is all that a step brings.
class WindOnDevice {
public:
    /// For the first so many of the cells that layers have; the device lives longer.
    WindOnDevice(exec::Device& device, std::int32_t cells) : device_(device), cells_(cells) {}

    /// Are they few enough for a kernel?
    static bool takes(const WindLayers& layers);

    /// Writes the wind of each cell as FeltWind has it, [cells] of the device. The layers are the same ones in each call, at any time; their
    /// memory must stay until the stream has come to this point.
    void find(exec::Stream stream, const WindLayers& layers, std::span<Real> speed, std::span<Real> x,
              std::span<Real> y);

private:
    using Level = gridded::LinearInTime::Level;
    struct HeldLevel {
        std::size_t record;
        exec::DeviceArray<double> values;  // [cells]
    };
    struct HeldLayer {
        std::array<std::deque<HeldLevel>, 2> levels;  // [component], up to two of each
        std::deque<exec::DeviceArray<double>> fixed;  // cosine, sine and share, where there are any
    };
    LinearLayer hold(exec::Stream stream, HeldLayer& held, const LinearLayer& layer);
    Level hold(exec::Stream stream, std::deque<HeldLevel>& levels, const Level& wanted, std::size_t other);
    void copy_in(exec::Stream stream, exec::DeviceArray<double>& to, std::span<const double> values);

    exec::Device& device_;
    const std::int32_t cells_;
    std::deque<HeldLayer> wind_, current_;
};

}  // namespace groundswell::sea
