#include "groundswell/quake/kernels/kernels.hpp"

#include <fmt/format.h>

#include "groundswell/base/errors.hpp"
#include "groundswell/quake/basis/polynomials.hpp"

namespace groundswell::quake {

template <class Real, int order>
const Kernels<Real>& elastic_of_order();

template <class Real>
const Kernels<Real>& elastic_kernels(int order) {
    switch (order) {
        case 2:
            return elastic_of_order<Real, 2>();
        case 3:
            return elastic_of_order<Real, 3>();
        case 4:
            return elastic_of_order<Real, 4>();
        case 5:
            return elastic_of_order<Real, 5>();
        case 6:
            return elastic_of_order<Real, 6>();
        case 7:
            return elastic_of_order<Real, 7>();
        default:
            break;
    }
    throw base::Refusal(fmt::format("order = {}: expected {} to {}", order, lowest_order, highest_order));
}

template const Kernels<float>& elastic_kernels<float>(int);
template const Kernels<double>& elastic_kernels<double>(int);

}  // namespace groundswell::quake
