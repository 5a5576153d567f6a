#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "groundswell/exec/device/device.hpp"

namespace groundswell::exec {

/// An array of a device with the values that the host gave it last, so that the same ones are not copied again.
template <class T>
class MirroredArray {
public:
    MirroredArray(Device& device, const std::string& name, std::size_t size)
        : device_(device), here_(size), there_(device, name, size) {}

    /// Gives it these values. The stream must have been waited for since it was given others.
    void set(Stream stream, std::span<const T> values) {
        GS_ASSERT(values.size() == here_.size());
        if (values.empty() || (is_set_ && std::memcmp(here_.data(), values.data(), values.size_bytes()) == 0))
            return;
        std::ranges::copy(values, here_.begin());
        is_set_ = true;
        device_.copy_in(stream, there_.span().data(), here_.data(), values.size_bytes());
    }
    /// For kernels and copies alone. After another one wrote there, it cannot be set any more.
    std::span<T> span() { return there_.span(); }
    std::span<const T> span() const { return there_.span(); }

private:
    Device& device_;
    std::vector<T> here_;
    bool is_set_ = false;
    DeviceArray<T> there_;
};

}  // namespace groundswell::exec
