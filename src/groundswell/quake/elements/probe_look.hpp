#pragma once

#include <cstdint>

namespace groundswell::quake {

/// The derivatives of one element that a probe sees: their sums by the values of the basis at its place, or by those of the basis's
/// derivative along an axis.
struct ProbeLook {
    std::int32_t element;  ///< in its batch
    std::int32_t basis;    ///< which values
};

}  // namespace groundswell::quake
