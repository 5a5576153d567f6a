#pragma once

#include <cstddef>
#include <span>

namespace groundswell::gridded {

/// A quantity on cells at a time, linear between its values at two. Memory of the host, or in a kernel of its device.
struct LinearInTime {
    struct Level {
        std::span<const double> values;  ///< [cells] in the quantity's unit
        std::size_t record = 0;          ///< as long as it is the same, so are the values
    };
    Level before, after;
    double weight = 0.0;  ///< of `after`

    constexpr double at(std::size_t cell) const {
        return before.values[cell] + weight * (after.values[cell] - before.values[cell]);
    }
};

}  // namespace groundswell::gridded
