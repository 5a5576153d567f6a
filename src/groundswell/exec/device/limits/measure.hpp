#pragma once

#include <functional>

#include "groundswell/exec/device/device.hpp"

/// Measured limits of a device, against which its kernels are judged.
namespace groundswell::exec {

/// As MachineLimits, and what a copy within the device moves (bytes read and written).
struct MeasuredDevice {
    double copy_gigabytes_per_second = 0.0;
    double stream_gigabytes_per_second = 0.0;
    double float_gflops = 0.0, double_gflops = 0.0;
};

/// `bytes`: of each array, which should be several times the device's last cache. The best of several tries counts. Of little memory arithmetic is measured on
/// few blocks too, as suits a played device.
MeasuredDevice measure_device(Device& device, std::size_t bytes);

/// Seconds of `work`, which asks things of the stream, by each of `tries` after one that does not count.
std::vector<double> time_on(Device& device, Stream stream, int tries, const std::function<void()>& work);

}  // namespace groundswell::exec
