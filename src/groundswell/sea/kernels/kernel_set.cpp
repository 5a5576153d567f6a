#include "groundswell/sea/kernels/kernel_set.hpp"

#include "groundswell/base/errors.hpp"
#include "groundswell/exec/instruction_set.hpp"
#include "groundswell/exec/kernel_levels.hpp"

#define GROUNDSWELL_LEVEL(level) \
    extern "C" const groundswell::sea::KernelSet* groundswell_sea_kernels_##level();
GROUNDSWELL_KERNEL_LEVELS(GROUNDSWELL_LEVEL)
#undef GROUNDSWELL_LEVEL

namespace groundswell::sea {

const KernelSet& kernel_set() {
    switch (exec::instruction_set()) {
#define GROUNDSWELL_LEVEL(level)      \
    case exec::InstructionSet::level: \
        return *groundswell_sea_kernels_##level();
        GROUNDSWELL_KERNEL_LEVELS(GROUNDSWELL_LEVEL)
#undef GROUNDSWELL_LEVEL
        default:
            throw base::Defect("kernels of the sea: none for the instruction set in use");
    }
}

}  // namespace groundswell::sea
