#pragma once

#include <cstdint>

namespace groundswell::quake {

/// An entry of the matrix that takes an element's coefficients to a face.
struct TraceEntry {
    std::int32_t row, column;
    double value;
};

}  // namespace groundswell::quake
