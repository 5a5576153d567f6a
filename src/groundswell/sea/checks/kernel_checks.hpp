#pragma once

#include <vector>

#include "groundswell/exec/kernel_check.hpp"
#include "groundswell/sea/model.hpp"

namespace groundswell::sea {

/// Holds the model's kernels against their plain forms in its sea of now: propagation in runs of cells all over this rank's part,
/// each source term and the step of their sum in single cells. Terms without a plain form are left out. The sea stays as it is.
/// Not collective.
std::vector<exec::KernelCheck> check_kernels(Model& model, const Case& run, double step_seconds,
                                             double source_step_seconds);

}  // namespace groundswell::sea
