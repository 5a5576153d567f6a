#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "groundswell/quake/layer/fading.hpp"

namespace groundswell::quake {

/// As AbsorbingLayer::fade, one block for a batch of elements that the layer reaches.
template <class Real>
struct FadeOnDevice {
    std::span<const std::int32_t> batch;      ///< [batch of the layer] which of all
    std::span<const Real> left;               ///< [batch of the layer][element] by a step
    std::span<Real> state, memory;            ///< [batch][value][element]
    int state_values = 0, memory_values = 0;  ///< of a batch
    int lanes = 1;                            ///< elements in a batch
    std::int32_t first = 0;                   ///< batch of the layer of the first block

    constexpr void arrays(const auto& visit) const {
        visit(batch);
        visit(left);
        visit(state);
        visit(memory);
    }
    template <class Block>
    constexpr void operator()(Block& block) const {
        const auto at = static_cast<std::size_t>(first + block.index());
        const auto which = static_cast<std::size_t>(batch[at]);
        const Real* const parts = left.data() + at * lanes;
        Real *const q = state.data() + which * state_values, *const zeta =
                                                                 memory.data() + which * memory_values;
        block.lanes(state_values, [&](int i) { q[i] = faded(q[i], parts[i % lanes]); });
        block.lanes(memory_values, [&](int i) { zeta[i] = faded(zeta[i], parts[i % lanes]); });
    }
};

/// exec::Program::entry of it; null in a program that was built without CUDA.
template <class Real>
const void* fade_cuda_entry();

}  // namespace groundswell::quake
