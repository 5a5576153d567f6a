#pragma once

/// In a file that is compiled for every level of instructions (see instruction_set.hpp), the name of the function that hands
/// out the kernels of `module`; all else that such a file defines is seen by the kernels of its own level alone.
#define GROUNDSWELL_KERNEL_ENTRY(module) GROUNDSWELL_KERNEL_NAME_OF(module, GROUNDSWELL_KERNEL_LEVEL)
#define GROUNDSWELL_KERNEL_NAME_OF(module, level) GROUNDSWELL_KERNEL_NAME(module, level)
#define GROUNDSWELL_KERNEL_NAME(module, level) groundswell_##module##_kernels_##level
