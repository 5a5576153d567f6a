#pragma once

#include "groundswell/quake/elastic.hpp"
#include "groundswell/quake/kernels/batch.hpp"

namespace groundswell::quake {

/// Each order is compiled by itself, in elastic_2.cpp to elastic_7.cpp.
template <class Real, int order>
const Kernels<Real>& elastic_of_order() {
    return BatchKernels<Elastic, Real, order, native_lanes<Real>>::kernels;
}

}  // namespace groundswell::quake
