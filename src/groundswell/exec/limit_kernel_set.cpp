#include "groundswell/exec/choose_kernels.hpp"
#include "groundswell/exec/limit_kernels.hpp"

GROUNDSWELL_CHOOSE_KERNELS(exec, LimitKernels, limit_kernels)
