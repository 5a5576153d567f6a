#pragma once

#include "groundswell/quake/fault/kernels.hpp"
#include "groundswell/quake/kernels/kernels.hpp"
#include "groundswell/quake/plasticity/kernel.hpp"

namespace groundswell::quake {

/// Kernels for elements in one precision, compiled for one instruction set.
template <class Real>
struct ElementKernels {
    /// As wave_kernels, of an order that there is.
    const Kernels<Real>& (*of_waves)(int order, int mechanisms);
    bool (*relax)(const PlasticBatch<Real>& batch);
};

/// Kernels for elements and fault faces, compiled for one instruction set. How many go at once is the set's own choice:
/// BatchLayout::lanes and FaultKernels::lanes.
struct KernelSet {
    ElementKernels<float> of_float;
    ElementKernels<double> of_double;
    FaultKernels fault;

    template <class Real>
    const ElementKernels<Real>& in() const {
        if constexpr (sizeof(Real) == sizeof(float))
            return of_float;
        else
            return of_double;
    }
};

/// The set for exec::instruction_set().
const KernelSet& kernel_set();

/// Elastic waves, order 2 to 7, or viscoelastic ones by 1 to 8 mechanisms; base::Refusal for another order. Real is float or double.
template <class Real>
const Kernels<Real>& wave_kernels(int order, int mechanisms = 0);

}  // namespace groundswell::quake
