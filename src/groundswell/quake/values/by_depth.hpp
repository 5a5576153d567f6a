#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "groundswell/simulation/case_file.hpp"

/// Numbers that may depend on depth.
namespace groundswell::quake {

/// A number, or one that goes in straight lines from z to z and keeps its last values beyond.
struct ValueByDepth {
    std::vector<std::pair<double, double>> by_z;  ///< m and value, z ascending; one pair: constant

    double at(double z) const;
};

/// KEY, a number, or KEY_by_depth, rows of z and a number; empty where neither is given. Refuses both. `otherwise`: what the
/// reference says where it need not be given.
std::optional<ValueByDepth> read_value(const simulation::Section& section, const std::string& key,
                                       simulation::Range range, std::string_view meaning,
                                       std::string_view unit, std::string_view source = "",
                                       std::string_view otherwise = "");

inline constexpr std::array stress_keys{"xx", "yy", "zz", "xy", "yz", "xz"};

/// Those of several keys, each in Pa.
template <std::size_t count>
void read_components(const simulation::Section& section, const std::array<const char*, count>& keys,
                     const char* meaning, std::array<std::optional<ValueByDepth>, count>& values) {
    for (std::size_t i = 0; i < count; ++i)
        values[i] = read_value(section, keys[i], {-1e30, 1e30}, meaning, "Pa", "", "none");
}

}  // namespace groundswell::quake
