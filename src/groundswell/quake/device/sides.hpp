#pragma once

#include <cstdint>
#include <span>

#include "groundswell/quake/elements/side_entries.hpp"

/// Kernels on sides by themselves, one block for each.
namespace groundswell::quake {

/// Adds what has gone through sides to the totals of SideSum.
template <class Real>
struct AddSidesOnDevice {
    std::span<const SideSum> sums;
    std::span<Real> sides;
    int values = 0;    ///< of a side
    int is_first = 0;  ///< 1: of the steps that are added up

    constexpr void arrays(const auto& visit) const {
        visit(sums);
        visit(sides);
    }
    template <class Block>
    constexpr void operator()(Block& block) const {
        const SideSum sum = sums[static_cast<std::size_t>(block.index())];
        const Real* const from = sides.data() + static_cast<std::size_t>(sum.side) * values;
        Real* const to = sides.data() + static_cast<std::size_t>(sum.total) * values;
        block.lanes(values, [&](int i) { to[i] = is_first != 0 ? from[i] : to[i] + from[i]; });
    }
};

/// Moves some sides into a buffer, [of these][value], or back.
template <class Real>
struct MoveSidesOnDevice {
    std::span<const std::int32_t> which;
    std::span<Real> sides, buffer;
    int values = 0;  ///< of a side
    int back = 0;    ///< 1: from the buffer to the sides

    constexpr void arrays(const auto& visit) const {
        visit(which);
        visit(sides);
        visit(buffer);
    }
    template <class Block>
    constexpr void operator()(Block& block) const {
        const auto index = static_cast<std::size_t>(block.index());
        Real* const side = sides.data() + static_cast<std::size_t>(which[index]) * values;
        Real* const in_buffer = buffer.data() + index * values;
        block.lanes(values, [&](int i) { back != 0 ? side[i] = in_buffer[i] : in_buffer[i] = side[i]; });
    }
};

}  // namespace groundswell::quake
