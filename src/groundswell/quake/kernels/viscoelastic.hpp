#pragma once

#include <array>

#include "groundswell/quake/kernels/batch.hpp"
#include "groundswell/quake/viscoelastic.hpp"

namespace groundswell::quake {

/// Each order is compiled by itself, in viscoelastic_2.cpp to viscoelastic_7.cpp.
template <class Real, int order>
const Kernels<Real>& viscoelastic_of_order(int mechanisms) {
    using Made = BatchKernels<Viscoelastic, Real, order, native_lanes<Real>>;
    static constexpr auto all = [] {
        std::array<Kernels<Real>, Viscoelastic::most_mechanisms> kernels{};
        for (int n = 0; n < Viscoelastic::most_mechanisms; ++n) kernels[n] = Made::with_mechanisms(n + 1);
        return kernels;
    }();
    return all[mechanisms - 1];
}

}  // namespace groundswell::quake
