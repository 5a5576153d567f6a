#pragma once

#include "groundswell/quake/acoustic.hpp"
#include "groundswell/quake/kernels/batch.hpp"

namespace groundswell::quake {

template <class Real, int order>
const Kernels<Real>& anisotropic_of_order();

/// Each order is compiled by itself, in elastic_2.cpp to elastic_7.cpp, which the build makes.
template <class Real, int order>
const Kernels<Real>& elastic_of_order() {
    static const Kernels<Real> all = [] {
        Kernels<Real> kernels = BatchKernels<Elastic, Real, order, native_lanes<Real>>::kernels;
        kernels.of_water = &BatchKernels<Acoustic, Real, order, native_lanes<Real>>::kernels;
        kernels.of_anisotropic = &anisotropic_of_order<Real, order>();
        return kernels;
    }();
    return all;
}

}  // namespace groundswell::quake
