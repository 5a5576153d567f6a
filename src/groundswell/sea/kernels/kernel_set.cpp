#include "groundswell/sea/kernels/kernel_set.hpp"

#include "groundswell/exec/choose_kernels.hpp"

GROUNDSWELL_CHOOSE_KERNELS(sea, KernelSet, kernel_set)

namespace groundswell::sea {

const PropagationKernels& propagation_kernels() {
    return kernel_set().propagation;
}

}  // namespace groundswell::sea
