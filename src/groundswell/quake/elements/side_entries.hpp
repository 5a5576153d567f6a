#pragma once

#include <cstdint>

namespace groundswell::quake {

/// A side of one who steps more often than the element across, which reads the total of so many steps.
struct SideSum {
    std::int32_t side, total;
};

/// An entry of the matrix that takes an element's coefficients to a face.
struct TraceEntry {
    std::int32_t row, column;
    double value;
};

}  // namespace groundswell::quake
