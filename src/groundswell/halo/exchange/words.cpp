#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/halo/exchange.hpp"

namespace groundswell::halo {

namespace {

constexpr std::array<std::pair<Progress, std::string_view>, 3> progress_table{
    {{Progress::none, "none"}, {Progress::polling, "polling"}, {Progress::thread, "thread"}}};

}  // namespace

std::vector<std::string> progress_names() {
    std::vector<std::string> names;
    for (const auto& [progress, name] : progress_table) names.emplace_back(name);
    return names;
}

std::string_view name(Progress progress) {
    return std::ranges::find(progress_table, progress, [](const auto& row) { return row.first; })->second;
}

Progress progress_named(std::string_view name) {
    const auto* const row =
        std::ranges::find(progress_table, name, [](const auto& candidate) { return candidate.second; });
    GS_ASSERT(row != progress_table.end());
    return row->first;
}

std::string ExchangeReport::text() const {
    if (whole_bytes <= 0) return "";
    constexpr double mebibyte = 1048576.0;
    const double sent = static_cast<double>(bytes), whole = static_cast<double>(whole_bytes);
    std::string text =
        fmt::format("halo exchange      {}, {:.3f} MiB an exchange", transport, sent / mebibyte);
    if (bytes < whole_bytes)
        text += fmt::format(" ({:.0f} % of the {:.3f} MiB of all {})", 100.0 * sent / whole, whole / mebibyte,
                            values);
    text += fmt::format(", progress {}, hidden {:.0f} %", progress, 100.0 * hidden_share);
    if (polling.mean > 0.0) text += fmt::format(" by {:.3f} s of polling", polling.mean);
    if (const double waits = late.mean + message.mean; waits > 0.0)
        text += fmt::format(
            "\n  waiting          {:.3g} ms an exchange: {:.0f} % for late neighbours, {:.0f} % for messages",
            1e3 * waits, 100.0 * late.mean / waits, 100.0 * message.mean / waits);
    return text;
}

}  // namespace groundswell::halo
