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

constexpr std::array<std::pair<Route, std::string_view>, 4> route_table{
    {{Route::automatic, "auto"}, {Route::memory, "memory"}, {Route::mpi, "mpi"}, {Route::staged, "staged"}}};

template <class Table>
std::vector<std::string> names_of(const Table& table) {
    std::vector<std::string> names;
    for (const auto& row : table) names.emplace_back(row.second);
    return names;
}
template <class Table, class Value>
std::string_view name_in(const Table& table, Value value) {
    return std::ranges::find(table, value, [](const auto& row) { return row.first; })->second;
}
template <class Table>
auto named_in(const Table& table, std::string_view name) {
    const auto* const row =
        std::ranges::find(table, name, [](const auto& candidate) { return candidate.second; });
    GS_ASSERT(row != table.end());
    return row->first;
}

}  // namespace

std::vector<std::string> progress_names() {
    return names_of(progress_table);
}
std::string_view name(Progress progress) {
    return name_in(progress_table, progress);
}
Progress progress_named(std::string_view name) {
    return named_in(progress_table, name);
}
std::vector<std::string> route_names() {
    return names_of(route_table);
}
std::string_view name(Route route) {
    return name_in(route_table, route);
}
Route route_named(std::string_view name) {
    return named_in(route_table, name);
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
