#pragma once

#include <algorithm>
#include <cstdint>

namespace groundswell::parallel {

/// A longer message goes in pieces: MPI counts with an int.
inline constexpr std::int64_t longest_message = std::int64_t{1} << 30;

/// Pieces of a message of `bytes`: calls f(offset, count) for each.
template <class F>
void for_each_piece(std::int64_t bytes, F&& f) {
    for (std::int64_t at = 0; at < bytes; at += longest_message)
        f(at, static_cast<int>(std::min(longest_message, bytes - at)));
}

}  // namespace groundswell::parallel
