#pragma once

#include "groundswell/base/errors.hpp"
#include "groundswell/exec/instruction_set.hpp"
#include "groundswell/exec/kernel_levels.hpp"

/// Defines `const Kernels& function()` in namespace groundswell::module: the kernels of that module which were compiled for
/// exec::instruction_set(). Each level hands out its own, see kernel_entry.hpp.
#define GROUNDSWELL_CHOOSE_KERNELS(module, Kernels, function)                              \
    namespace groundswell::module {                                                        \
    GROUNDSWELL_KERNEL_LEVELS(GROUNDSWELL_DECLARE_KERNELS, module, Kernels)                \
    const Kernels& function() {                                                            \
        switch (exec::instruction_set()) {                                                 \
            GROUNDSWELL_KERNEL_LEVELS(GROUNDSWELL_KERNELS_OF, module)                      \
            default:                                                                       \
                throw base::Defect(#module ": no kernels for the instruction set in use"); \
        }                                                                                  \
    }                                                                                      \
    }
#define GROUNDSWELL_DECLARE_KERNELS(level, module, Kernels) \
    extern "C" const Kernels* groundswell_##module##_kernels_##level();
#define GROUNDSWELL_KERNELS_OF(level, module) \
    case exec::InstructionSet::level:         \
        return *groundswell_##module##_kernels_##level();
