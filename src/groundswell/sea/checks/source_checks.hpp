#pragma once

#include <vector>

#include "groundswell/exec/kernel_check.hpp"
#include "groundswell/sea/source/source_package.hpp"

namespace groundswell::sea {

/// Results of check_source_terms(): one for each term, in their order, and the last for the step of their sum.
std::vector<exec::KernelCheck> source_checks(const SourcePackage& package);

/// Holds each source term, and the step of their sum, against its plain form in one sea, of which nothing changes; adds what it
/// finds to `checks`. Terms without a plain form are left out. `options`: those that the package was made with.
void check_source_terms(const SourcePackage& package, const PhysicsOptions& options, const Real* action,
                        const CellConditions& conditions, double seconds, SourceState state,
                        SourceWorkspace& space, std::vector<exec::KernelCheck>& checks);

}  // namespace groundswell::sea
