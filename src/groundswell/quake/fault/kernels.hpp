#pragma once

#include <string_view>

#include "groundswell/quake/fault/kernel.hpp"
#include "groundswell/quake/kernels/pack.hpp"

namespace groundswell::quake {

using FaultPack = Pack<double, native_lanes<double>>;

/// What a friction law does to a pack of faces: see solve_fault and start_fault.
struct FaultKernel {
    std::string_view law;
    void (*solve)(const FaultRule&, const FaultStep&, const FaultBatch<FaultPack>&);
    void (*start)(const FaultRule&, const FaultStep&, const FaultBatch<FaultPack>&);
};

/// Of one of friction_laws().
const FaultKernel& fault_kernel(std::string_view law);

}  // namespace groundswell::quake
