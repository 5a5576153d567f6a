#pragma once

#include <fmt/format.h>

#include <algorithm>
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
    void add(const Place& place) {
        for (int j = 0; j < 3; ++j) {
            lowest[j] = std::min(lowest[j], place[j]);
            highest[j] = std::max(highest[j], place[j]);
        }
    }
};

/// For people.
inline std::string show(const Place& place) {
    return fmt::format("({:.6g}, {:.6g}, {:.6g}) m", place[0], place[1], place[2]);
}

}  // namespace groundswell::gridded
