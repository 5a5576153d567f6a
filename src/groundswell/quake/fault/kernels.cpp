#include "groundswell/quake/fault/kernels.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/quake/fault/laws/ageing.hpp"
#include "groundswell/quake/fault/laws/bimaterial_slip_weakening.hpp"
#include "groundswell/quake/fault/laws/fast_weakening.hpp"
#include "groundswell/quake/fault/laws/linear_slip_weakening.hpp"

namespace groundswell::quake {

namespace {

template <class Law, int... above>
constexpr FaultKernel kernel_of(std::string_view law, std::integer_sequence<int, above...>) {
    return {law,
            {solve_fault<Law, lowest_order + above, FaultPack>...},
            start_fault<Law, FaultPack>,
            {solve_fault<Law, lowest_order + above, double>...}};
}
template <class Law>
constexpr FaultKernel kernel_of(std::string_view law) {
    return kernel_of<Law>(law, std::make_integer_sequence<int, highest_order - lowest_order + 1>{});
}

constexpr std::array kernels{
    kernel_of<LinearSlipWeakening>("linear-slip-weakening"),
    kernel_of<BimaterialSlipWeakening>("linear-slip-weakening-bimaterial"),
    kernel_of<RateAndState<Ageing>>("ageing"),
    kernel_of<RateAndState<SlipLaw>>("slip"),
    kernel_of<RateAndState<FastWeakening>>("fast-weakening"),
};

}  // namespace

const FaultKernel& fault_kernel(std::string_view law) {
    const auto found = std::ranges::find(kernels, law, &FaultKernel::law);
    GS_ASSERT(found != kernels.end());
    return *found;
}

}  // namespace groundswell::quake
