#pragma once

#include <cstdint>

namespace groundswell::halo {

/// A cyclic range of a row's values: `count` of them from `first` on, going on at the row's beginning after
/// its end. 0 <= first < row_values, 0 <= count <= row_values.
struct RowRange {
    std::int32_t first = 0;
    std::int32_t count = 0;
    friend bool operator==(const RowRange&, const RowRange&) = default;
};

}  // namespace groundswell::halo
