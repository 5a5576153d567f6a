#include "groundswell/base/errors.hpp"
#include "groundswell/exec/instruction_set.hpp"
#include "groundswell/exec/kernel_levels.hpp"
#include "groundswell/exec/limit_kernels.hpp"

#define GROUNDSWELL_LEVEL(level) \
    extern "C" const groundswell::exec::LimitKernels* groundswell_exec_kernels_##level();
GROUNDSWELL_KERNEL_LEVELS(GROUNDSWELL_LEVEL)
#undef GROUNDSWELL_LEVEL

namespace groundswell::exec {

const LimitKernels& limit_kernels() {
    switch (instruction_set()) {
#define GROUNDSWELL_LEVEL(level) \
    case InstructionSet::level:  \
        return *groundswell_exec_kernels_##level();
        GROUNDSWELL_KERNEL_LEVELS(GROUNDSWELL_LEVEL)
#undef GROUNDSWELL_LEVEL
        default:
            throw base::Defect("limits of the machine: no kernels for the instruction set in use");
    }
}

}  // namespace groundswell::exec
