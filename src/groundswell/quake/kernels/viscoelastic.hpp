#pragma once

#include <array>

#include "groundswell/quake/kernels/batch.hpp"
#include "groundswell/quake/viscoelastic.hpp"

namespace groundswell::quake {

template <class Real, int order>
const Kernels<Real>& elastic_of_order();

/// Each order is compiled by itself, in viscoelastic_2.cpp to viscoelastic_7.cpp, which the build makes.
template <class Real, int order>
const Kernels<Real>& viscoelastic_of_order(int mechanisms) {
    using Made = BatchKernels<Viscoelastic, Real, order, native_lanes<Real>>;
    static const auto all = [] {
        std::array<Kernels<Real>, Viscoelastic::most_mechanisms> kernels{};
        for (int n = 0; n < Viscoelastic::most_mechanisms; ++n) {
            kernels[n] = Made::with_mechanisms(n + 1);
            kernels[n].of_water = elastic_of_order<Real, order>().of_water;
        }
        return kernels;
    }();
    return all[mechanisms - 1];
}

}  // namespace groundswell::quake
