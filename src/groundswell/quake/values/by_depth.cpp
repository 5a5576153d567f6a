#include "groundswell/quake/values/by_depth.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace groundswell::quake {

namespace {

const char* const by_depth = "_by_depth";

}  // namespace

double ValueByDepth::at(double z) const {
    if (z <= by_z.front().first) return by_z.front().second;
    for (std::size_t i = 1; i < by_z.size(); ++i) {
        const auto [low, below] = by_z[i - 1];
        const auto [high, above] = by_z[i];
        if (z < high) return below + (above - below) * (z - low) / (high - low);
    }
    return by_z.back().second;
}

std::optional<ValueByDepth> read_value(const simulation::Section& section, const std::string& key,
                                       simulation::Range range, std::string_view meaning,
                                       std::string_view unit, std::string_view source,
                                       std::string_view otherwise) {
    const std::string rows_key = key + by_depth;
    const bool all = section.describing();
    if (!all && section.has(key) && section.has(rows_key))
        section.refuse(key, fmt::format("one of {} and {}", key, rows_key));
    ValueByDepth value;
    if (section.has(rows_key) || all) {
        auto rows = section.rows(rows_key, {"z", "value"},
                                 {"the same by depth: straight lines from z (m, upwards) to z", unit});
        if (!all && rows.empty()) section.refuse(rows_key, "at least one row [z, value]");
        std::ranges::sort(rows);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (i > 0 && rows[i][0] == rows[i - 1][0]) section.refuse(rows_key, "each z once");
            if (!(rows[i][1] >= range.minimum && rows[i][1] <= range.maximum))
                section.refuse(rows_key,
                               fmt::format("values from {:.4g} to {:.4g}", range.minimum, range.maximum));
            value.by_z.emplace_back(rows[i][0], rows[i][1]);
        }
        if (!all) return value;
    }
    if (!section.has(key) && !all) return std::nullopt;
    value.by_z = {{0.0, section.number(key, std::nullopt, range, {meaning, unit, source, otherwise})}};
    return value;
}

}  // namespace groundswell::quake
