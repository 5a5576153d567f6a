#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/simulation/report/progress_line.hpp"

/// Numbers of a report in few words.
namespace groundswell::simulation {

inline double mean_of(const nlohmann::json& statistic) {
    return statistic["mean"].get<double>();
}

/// "3.4 ms", "1.2 s".
inline std::string short_time(double seconds) {
    if (seconds >= 100.0) return format_seconds(seconds);
    return seconds < 1.0 ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.3g} s", seconds);
}

/// "12.3 KiB", "4.56 MiB", "78.9 GiB".
inline std::string short_bytes(double bytes) {
    const char* unit = "KiB";
    double value = bytes / 1024.0;
    for (const char* larger : {"MiB", "GiB", "TiB"}) {
        if (value < 999.5) break;
        value /= 1024.0;
        unit = larger;
    }
    return fmt::format("{:.3g} {}", value, unit);
}

/// The means of statistics with their names, largest first.
inline std::vector<std::pair<std::string, double>> by_size(const nlohmann::json& statistics) {
    std::vector<std::pair<std::string, double>> parts;
    for (const auto& [name, statistic] : statistics.items()) parts.emplace_back(name, mean_of(statistic));
    std::ranges::stable_sort(parts, std::greater(), &std::pair<std::string, double>::second);
    return parts;
}

}  // namespace groundswell::simulation
