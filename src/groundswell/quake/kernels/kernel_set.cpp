#include "groundswell/quake/kernels/kernel_set.hpp"

#include <algorithm>

#include "groundswell/base/errors.hpp"
#include "groundswell/exec/instruction_set.hpp"
#include "groundswell/exec/kernel_levels.hpp"

#define GROUNDSWELL_LEVEL(level) \
    extern "C" const groundswell::quake::KernelSet* groundswell_quake_kernels_##level();
GROUNDSWELL_KERNEL_LEVELS(GROUNDSWELL_LEVEL)
#undef GROUNDSWELL_LEVEL

namespace groundswell::quake {

const FaultKernel& FaultKernels::of(std::string_view law) const {
    const auto found = std::ranges::find(laws, law, &FaultKernel::law);
    GS_ASSERT(found != laws.end());
    return *found;
}

const KernelSet& kernel_set() {
    switch (exec::instruction_set()) {
#define GROUNDSWELL_LEVEL(level)      \
    case exec::InstructionSet::level: \
        return *groundswell_quake_kernels_##level();
        GROUNDSWELL_KERNEL_LEVELS(GROUNDSWELL_LEVEL)
#undef GROUNDSWELL_LEVEL
        default:
            throw base::Defect("kernels of earthquakes: none for the instruction set in use");
    }
}

}  // namespace groundswell::quake
