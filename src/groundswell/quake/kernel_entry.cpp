#include "groundswell/exec/kernel_entry.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/kernel_set.hpp"

namespace groundswell::quake {

// Each order is compiled by itself, in files that the build makes: elastic_2.cpp to anisotropic_7.cpp.
template <class Real, int order>
const Kernels<Real>& elastic_of_order();
template <class Real, int order>
const Kernels<Real>& viscoelastic_of_order(int mechanisms);

namespace {

template <class Real, int order = lowest_order>
const Kernels<Real>& waves_of(int wanted, int mechanisms) {
    if constexpr (order < highest_order) {
        if (order < wanted) return waves_of<Real, order + 1>(wanted, mechanisms);
    }
    return mechanisms == 0 ? elastic_of_order<Real, order>() : viscoelastic_of_order<Real, order>(mechanisms);
}

template <class Real>
ElementKernels<Real> element_kernels() {
    return {waves_of<Real>, relax_batch<Real>};
}

}  // namespace

}  // namespace groundswell::quake

extern "C" const groundswell::quake::KernelSet* GROUNDSWELL_KERNEL_ENTRY(quake)();
extern "C" const groundswell::quake::KernelSet* GROUNDSWELL_KERNEL_ENTRY(quake)() {
    using namespace groundswell::quake;
    static const KernelSet kernels = {element_kernels<float>(), element_kernels<double>(),
                                      compiled_fault_kernels()};
    return &kernels;
}
