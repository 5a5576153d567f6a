#pragma once

#include <cstddef>
#include <string_view>

#include "groundswell/exec/device/device.hpp"

namespace groundswell::quake {

/// The kernels of a friction law on a device.
struct FaultPrograms {
    exec::Program solve{};
    std::size_t (*scratch_bytes)(int order, int points,
                                 int faces) = nullptr;  ///< null: the law has no form for devices
    int most_lanes{};                                   ///< of a block
};
FaultPrograms fault_programs(std::string_view law);

/// FeelFaultOnDevice.
template <class Real>
exec::Program feel_program();

}  // namespace groundswell::quake
