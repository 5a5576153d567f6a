#pragma once

#include <array>
#include <optional>
#include <vector>

#include "groundswell/simulation/case_file.hpp"

namespace groundswell::quake {

/// Three numbers of a key, if it is there.
inline std::optional<std::array<double, 3>> three(const simulation::Section& section, const char* key,
                                                  simulation::KeyText text) {
    const std::vector<double> given = section.numbers(key, 3, text);
    if (given.empty()) return std::nullopt;
    return std::array<double, 3>{given[0], given[1], given[2]};
}

}  // namespace groundswell::quake
