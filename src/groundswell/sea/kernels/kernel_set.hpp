#pragma once

#include <memory>

#include "groundswell/sea/propagation/kernels.hpp"
#include "groundswell/sea/source/source_package.hpp"

namespace groundswell::sea {

/// Kernels for bins, compiled for one instruction set.
struct KernelSet {
    PropagationKernels propagation;
    std::unique_ptr<SourcePackage> (*make_source_package)(const SpectralGrid& grid,
                                                          const PhysicsOptions& options);
};

/// The set for exec::instruction_set().
const KernelSet& kernel_set();

}  // namespace groundswell::sea
