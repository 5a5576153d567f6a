#pragma once

#include <array>
#include <string_view>

#include "groundswell/quake/fault/kernel.hpp"
#include "groundswell/quake/kernels/pack.hpp"

namespace groundswell::quake {

using FaultPack = Pack<double, native_lanes<double>>;

/// What a friction law does to a pack of faces: see solve_fault, by order from the lowest on, and start_fault.
struct FaultKernel {
    using Act = void (*)(const FaultRule&, const FaultStep&, const FaultBatch<FaultPack>&);
    std::string_view law;
    std::array<Act, highest_order - lowest_order + 1> solve;
    Act start;
    /// The same as `solve` for a single face, number by number: what packs are held against.
    using ActPlainly = void (*)(const FaultRule&, const FaultStep&, const FaultBatch<double>&);
    std::array<ActPlainly, highest_order - lowest_order + 1> solve_plainly;
};

/// Of one of friction_laws().
const FaultKernel& fault_kernel(std::string_view law);

}  // namespace groundswell::quake
