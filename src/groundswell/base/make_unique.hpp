#pragma once

#include <algorithm>
#include <vector>

namespace groundswell::base {

/// Sorts, and keeps each value once.
template <class Value>
void make_unique(std::vector<Value>& values) {
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace groundswell::base
