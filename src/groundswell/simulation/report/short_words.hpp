#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

/// Numbers of a report in few words.
namespace groundswell::simulation {

inline double mean_of(const nlohmann::json& statistic) {
    return statistic["mean"].get<double>();
}

/// "3.4 ms", "1.2 s".
inline std::string short_time(double seconds) {
    return seconds < 1.0 ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.3g} s", seconds);
}

/// "12.3 KiB", "4.56 MiB".
inline std::string short_bytes(double bytes) {
    return bytes < 1048576.0 ? fmt::format("{:.3g} KiB", bytes / 1024.0)
                             : fmt::format("{:.3g} MiB", bytes / 1048576.0);
}

/// The means of statistics with their names, largest first.
inline std::vector<std::pair<std::string, double>> by_size(const nlohmann::json& statistics) {
    std::vector<std::pair<std::string, double>> parts;
    for (const auto& [name, statistic] : statistics.items()) parts.emplace_back(name, mean_of(statistic));
    std::ranges::stable_sort(parts, std::greater(), &std::pair<std::string, double>::second);
    return parts;
}

}  // namespace groundswell::simulation
