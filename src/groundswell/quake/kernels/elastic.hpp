#pragma once

#include "groundswell/quake/acoustic.hpp"
#include "groundswell/quake/kernels/batch.hpp"

namespace groundswell::quake {

/// Each order is compiled by itself, in elastic_2.cpp to elastic_7.cpp.
template <class Real, int order>
const Kernels<Real>& elastic_of_order() {
    static constexpr Kernels<Real> both = [] {
        Kernels<Real> kernels = BatchKernels<Elastic, Real, order, native_lanes<Real>>::kernels;
        kernels.of_water = &BatchKernels<Acoustic, Real, order, native_lanes<Real>>::kernels;
        return kernels;
    }();
    return both;
}

}  // namespace groundswell::quake
