#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace groundswell::exec {

/// Distance of a kernel's results from those of its plain form, which is written as on paper, in double precision, one value
/// at a time: on one rank, of the cells that were looked at.
struct KernelCheck {
    std::string kernel;
    double allowed = 0.0;  ///< as a part of the largest value
    double largest = 0.0;  ///< that was expected
    double apart = 0.0;    ///< the largest difference
    std::int64_t cells = 0;
    bool finite = true;

    void compare(double expected, double found) {
        largest = std::max(largest, std::abs(expected));
        apart = std::max(apart, std::abs(expected - found));
        finite = finite && std::isfinite(found) && std::isfinite(expected);
    }
};

}  // namespace groundswell::exec
