#pragma once

namespace groundswell::sea {

#ifndef GROUNDSWELL_SEA_REAL
#define GROUNDSWELL_SEA_REAL float
#endif

/// The type of the sea's state and kernels: float in every production build, double in the build for conservation
/// tests.
using Real = GROUNDSWELL_SEA_REAL;

}  // namespace groundswell::sea
