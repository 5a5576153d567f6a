#pragma once

#include <cstdint>
#include <span>

#include "groundswell/exec/device/block.hpp"
#include "groundswell/sea/ice/damping.hpp"

namespace groundswell::sea {

/// The damping of cells under ice, one block for a cell, by what the ice leaves of each frequency.
struct IceDampingStep {
    std::span<Real> action;              ///< [cell][stride]
    std::span<const std::int32_t> cell;  ///< [block]
    std::span<const Real> left;          ///< [block][frequency]
    int stride, frequencies, directions;

    constexpr void arrays(const auto& visit) const {
        visit(action);
        visit(cell);
        visit(left);
    }
    template <class Block>
    constexpr void operator()(Block& block) const {
        Real* const bins = action.data() + cell[block.index()] * static_cast<std::int64_t>(stride);
        const Real* const shares = left.data() + block.index() * static_cast<std::int64_t>(frequencies);
        block.lanes(frequencies * directions,
                    [&](int bin) { bins[bin] = IceDamping::damped(bins[bin], shares[bin / directions]); });
    }
};

/// exec::Program::entry of IceDampingStep; null in a program that was built without CUDA.
const void* ice_damping_cuda_entry();

}  // namespace groundswell::sea
