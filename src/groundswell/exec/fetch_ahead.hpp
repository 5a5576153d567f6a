#pragma once

#include <cstddef>

namespace groundswell::exec {

/// Asks memory for one of `parts` parts of what the next batch needs. A kernel does so between its computations, a few lines at
/// a time: those of a whole batch at once would wait for each other, and the computation for them. Nothing is read,
/// so that the place may lie behind the last batch.
inline __attribute__((always_inline)) void fetch_ahead(const void* first, std::size_t bytes, int part,
                                                       int parts) {
    constexpr std::size_t line = 64;  // bytes that come at once
    const std::size_t lines = (bytes + line * parts - 1) / (line * parts);
    const auto* const from = static_cast<const char*>(first) + part * lines * line;
    for (std::size_t i = 0; i < lines; ++i) __builtin_prefetch(from + i * line, 0, 2);
}

}  // namespace groundswell::exec
