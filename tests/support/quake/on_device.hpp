// What tests of earthquakes on a device hold it against, and how closely.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/exec/kernel_levels.hpp"
#include "groundswell/quake/kernel_set.hpp"

namespace groundswell::quake {

// Kernels of all levels of instructions that there are.
#define DECLARE_KERNELS(level) extern "C" const KernelSet* groundswell_quake_kernels_##level();
GROUNDSWELL_KERNEL_LEVELS(DECLARE_KERNELS)
#undef DECLARE_KERNELS

namespace test {

inline const KernelSet& kernels_of_lowest_level() {
#define ENTRY(level) &groundswell_quake_kernels_##level,
    static constexpr const KernelSet* (*entries[])() = {GROUNDSWELL_KERNEL_LEVELS(ENTRY)};
#undef ENTRY
    return *entries[0]();
}

/// An NVIDIA A100's block (CUDA C++ Programming Guide, table of compute capabilities, 8.0) with little memory.
inline const exec::DeviceLimits played{"played A100", 1024, 163 << 10, 64 << 20};

/// The largest difference as a part of the largest value, of stresses or velocities.
template <class Real>
double apart(const std::vector<Real>& a, const std::vector<Real>& b) {
    double most[2] = {}, largest[2] = {};
    for (std::size_t i = 0; i < a.size(); ++i) {
        const int kind = i % 9 / 6;
        most[kind] = std::max(most[kind], std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
        largest[kind] = std::max(largest[kind], std::abs(static_cast<double>(b[i])));
    }
    return std::max(most[0] / largest[0], most[1] / largest[1]);
}

}  // namespace test
}  // namespace groundswell::quake
