#pragma once

#include "groundswell/exec/real.hpp"

/// One SIMD register of bins. A row of directions that is no whole number of registers is covered by
/// registers that overlap (the last one ends at the end of the row): both write the same bits where they
/// overlap, so there is neither a scalar tail nor a read or write outside the row.
namespace groundswell::sea::lanes {

using exec::Real;

inline constexpr int width = 64 / sizeof(Real);

using Lane [[gnu::vector_size(64)]] = Real;
using UnalignedLane [[gnu::vector_size(64), gnu::aligned(alignof(Real)), gnu::may_alias]] = Real;

inline Lane load(const Real* values) {
    return *reinterpret_cast<const UnalignedLane*>(values);
}
inline void store(Real* values, Lane lane) {
    *reinterpret_cast<UnalignedLane*>(values) = lane;
}
inline Lane positive_part(Lane x) {
    return x > 0 ? x : Lane{};
}
inline Lane minimum(Lane a, Lane b) {
    return a < b ? a : b;
}
inline Lane maximum(Lane a, Lane b) {
    return a > b ? a : b;
}

/// Registers that cover a row of `length` ≥ width values, and where register i starts.
inline int count(int length) {
    return (length + width - 1) / width;
}
inline int start(int i, int length) {
    const int offset = i * width;
    return offset + width <= length ? offset : length - width;
}

/// `length` rounded up to whole registers.
inline int padded(int length) {
    return count(length) * width;
}

}  // namespace groundswell::sea::lanes
