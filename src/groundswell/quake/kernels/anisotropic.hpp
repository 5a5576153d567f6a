#pragma once

#include "groundswell/quake/anisotropic.hpp"
#include "groundswell/quake/kernels/batch.hpp"

namespace groundswell::quake {

/// Each order is compiled by itself, in anisotropic_2.cpp to anisotropic_7.cpp, which the build makes.
template <class Real, int order>
const Kernels<Real>& anisotropic_of_order() {
    return BatchKernels<Anisotropic, Real, order, native_lanes<Real>>::kernels;
}

}  // namespace groundswell::quake
