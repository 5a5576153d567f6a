#pragma once

#include <vector>

#include "groundswell/exec/kernel_check.hpp"
#include "groundswell/sea/model.hpp"
#include "groundswell/sea/source/source_package.hpp"

namespace groundswell::sea {

/// Results of check_source_terms(): one for each term, in their order, and the last for the step of their sum.
std::vector<exec::KernelCheck> source_checks(const SourcePackage& package);

/// Holds each source term, and the step of their sum, against its plain form in one sea, of which nothing changes; adds what it
/// finds to `checks`. Terms without a plain form are left out. `options`: those that the package was made with.
void check_source_terms(const SourcePackage& package, const PhysicsOptions& options, const Real* action,
                        const CellConditions& conditions, double seconds, SourceState state,
                        SourceWorkspace& space, std::vector<exec::KernelCheck>& checks);

/// Holds the model's kernels against their plain forms in its sea of now: propagation in runs of cells all over this rank's part,
/// each source term and the step of their sum in single cells. Terms without a plain form are left out. The sea stays as it is.
/// Not collective.
std::vector<exec::KernelCheck> check_kernels(Model& model, const Case& run, double step_seconds,
                                             double source_step_seconds);

}  // namespace groundswell::sea
