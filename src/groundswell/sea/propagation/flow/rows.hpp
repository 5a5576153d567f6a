#pragma once

#include <cstring>

#include "groundswell/sea/lanes.hpp"

/// Rows of directions in working memory, which end with a register: what stands behind the last direction is read, and is of no use.
namespace groundswell::sea::rows {

/// Values up to the end of the register that holds the last of `length`.
inline int whole(int length) {
    return (length + lanes::width - 1) / lanes::width * lanes::width;
}

/// Copies a row, and nothing beside it; its last register may overlap the one before.
inline void copy(Real* to, const Real* from, int length) {
    if (length < lanes::width) {
        std::memcpy(to, from, static_cast<std::size_t>(length) * sizeof(Real));
        return;
    }
    int j = 0;
    for (; j + lanes::width <= length; j += lanes::width) lanes::store(to + j, lanes::load(from + j));
    if (j < length) lanes::store(to + length - lanes::width, lanes::load(from + length - lanes::width));
}

}  // namespace groundswell::sea::rows
