#pragma once

#include <array>
#include <limits>
#include <string>

namespace groundswell::gridded {

/// A place by x, y and z, m; z up.
using Place = std::array<double, 3>;

/// A box around places; of none at first.
struct Region {
    Place lowest, highest;

    Region() {
        lowest.fill(std::numeric_limits<double>::infinity());
        highest.fill(-std::numeric_limits<double>::infinity());
    }
    bool empty() const { return lowest[0] > highest[0]; }
    void add(const Place& place);
};

/// For people.
std::string show(const Place& place);

}  // namespace groundswell::gridded
