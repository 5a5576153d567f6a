#pragma once

#include "groundswell/quake/kernels/kernels.hpp"

/// The least that each kernel has to fetch from memory and to put there.
namespace groundswell::quake {

/// Bytes of one element.
struct KernelBytes {
    double state = 0.0;     ///< and what it remembers
    double sides = 0.0;     ///< its four, as others see them
    double constant = 0.0;  ///< material and faces

    /// The state is read and written, its own sides are written.
    double local() const { return 2.0 * state + sides + constant; }
    /// The state is read and written, its own sides and those across are read.
    double neighbour() const { return 2.0 * state + 2.0 * sides + constant; }
};

template <class Real>
KernelBytes kernel_bytes(const BatchLayout& layout) {
    const double number = sizeof(Real), lanes = layout.lanes;
    return {number * static_cast<double>(layout.state + layout.memory) / lanes,
            4.0 * number * static_cast<double>(layout.trace),
            number * static_cast<double>(layout.material + 4 * layout.face) / lanes};
}

}  // namespace groundswell::quake
