#pragma once

/// The type of the model state: float in every production build, double in the build for conservation tests.
namespace groundswell::exec {

#ifndef GROUNDSWELL_REAL
#define GROUNDSWELL_REAL float
#endif

using Real = GROUNDSWELL_REAL;

}  // namespace groundswell::exec
