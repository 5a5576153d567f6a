#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace groundswell::base {

/// The value that this share of the values, 0 to 1, does not exceed: one of them, the nearest by rank. At least one value.
inline double percentile(std::vector<double> values, double share) {
    const auto place =
        static_cast<std::ptrdiff_t>(std::lround(share * static_cast<double>(values.size() - 1)));
    std::nth_element(values.begin(), values.begin() + place, values.end());
    return values[place];
}

}  // namespace groundswell::base
