#pragma once

#include "groundswell/sea/propagation/second_order/device_kernel.hpp"

namespace groundswell::sea {

/// As Propagator::set_profiles(), one block for a frequency of a cell.
template <bool flows>
struct SecondOrderProfileStep {
    static constexpr int most_lanes = 256, blocks_at_once = 3;

    SecondOrderStep<flows> scheme;         ///< its n_new is that of no one
    std::span<const std::int32_t> source;  ///< [cell]
    std::int32_t first;                    ///< image of the first of these

    constexpr void arrays(const auto& visit) const {
        scheme.t.arrays(visit);
        scheme.s.arrays(visit);
        visit(scheme.n_old);
        visit(source);
    }
    template <class Block>
    constexpr void operator()(Block& block) const {
        const int frequencies = scheme.t.grid.frequencies, i = block.index() / frequencies;
        scheme.make_alone(block, source.data() + i, block.index() % frequencies, first + i);
    }
};

/// exec::Program::entry of SecondOrderStep, without currents and with them; null in a program that was built without CUDA.
const void* second_order_cuda_entry(bool flows);
/// The same of SecondOrderProfileStep.
const void* second_order_profiles_cuda_entry(bool flows);

}  // namespace groundswell::sea
