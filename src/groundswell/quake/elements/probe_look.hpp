#pragma once

#include <cstdint>

namespace groundswell::quake {

/// What a probe wants to know of the derivatives of an element: their sums by the values of the basis at its place, or by those of a
/// derivative along an axis.
struct ProbeLook {
    std::int32_t element;  ///< in its batch
    std::int32_t basis;    ///< which values
};

}  // namespace groundswell::quake
