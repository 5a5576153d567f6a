#include "groundswell/quake/kernels/kernels.hpp"

#include <fmt/format.h>

#include "groundswell/base/errors.hpp"
#include "groundswell/quake/basis/polynomials.hpp"

namespace groundswell::quake {

template <class Real, int order>
const Kernels<Real>& elastic_of_order();
template <class Real, int order>
const Kernels<Real>& viscoelastic_of_order(int mechanisms);

namespace {

template <class Real>
const Kernels<Real>& viscoelastic_kernels(int order, int mechanisms) {
    switch (order) {
        case 2:
            return viscoelastic_of_order<Real, 2>(mechanisms);
        case 3:
            return viscoelastic_of_order<Real, 3>(mechanisms);
        case 4:
            return viscoelastic_of_order<Real, 4>(mechanisms);
        case 5:
            return viscoelastic_of_order<Real, 5>(mechanisms);
        case 6:
            return viscoelastic_of_order<Real, 6>(mechanisms);
        default:
            return viscoelastic_of_order<Real, 7>(mechanisms);
    }
}

}  // namespace

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

template <class Real>
const Kernels<Real>& wave_kernels(int order, int mechanisms) {
    const Kernels<Real>& elastic = elastic_kernels<Real>(order);
    return mechanisms == 0 ? elastic : viscoelastic_kernels<Real>(order, mechanisms);
}

template const Kernels<float>& elastic_kernels<float>(int);
template const Kernels<double>& elastic_kernels<double>(int);
template const Kernels<float>& wave_kernels<float>(int, int);
template const Kernels<double>& wave_kernels<double>(int, int);

}  // namespace groundswell::quake
