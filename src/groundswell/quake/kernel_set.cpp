#include "groundswell/quake/kernel_set.hpp"

#include <fmt/format.h>

#include "groundswell/base/errors.hpp"
#include "groundswell/exec/choose_kernels.hpp"
#include "groundswell/quake/basis/polynomials.hpp"

GROUNDSWELL_CHOOSE_KERNELS(quake, KernelSet, kernel_set)

namespace groundswell::quake {

template <class Real>
const Kernels<Real>& wave_kernels(int order, int mechanisms) {
    if (order < lowest_order || order > highest_order)
        throw base::Refusal(fmt::format("order = {}: expected {} to {}", order, lowest_order, highest_order));
    return kernel_set().in<Real>().of_waves(order, mechanisms);
}

template const Kernels<float>& wave_kernels<float>(int, int);
template const Kernels<double>& wave_kernels<double>(int, int);

}  // namespace groundswell::quake
