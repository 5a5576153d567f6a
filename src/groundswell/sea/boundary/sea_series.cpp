#include "groundswell/sea/boundary/sea_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "groundswell/base/errors.hpp"
#include "groundswell/gridded/cf_time.hpp"
#include "groundswell/netcdf/reader.hpp"
#include "groundswell/sea/boundary/table.hpp"

namespace groundswell::sea {

namespace {

/// A number of a sea: its names in files, and what it can be.
struct Quantity {
    std::vector<std::string> names;
    double low, high;
    double ParametricSea::*value;
    bool needed;
};

const std::vector<Quantity>& quantities() {
    static const std::vector<Quantity> all{
        {{"hs"}, 0.0, 30.0, &ParametricSea::significant_height, true},
        {{"tp"}, 0.5, 40.0, &ParametricSea::peak_period, true},
        {{"dir", "direction"}, -360.0, 360.0, &ParametricSea::bearing, true},
        {{"spread"}, 1.0, 80.0, &ParametricSea::spread, false},
        {{"gamma"}, 1.0, 20.0, &ParametricSea::peak_enhancement, false},
    };
    return all;
}

}  // namespace

void require_cover(const std::string& where, const std::vector<base::Instant>& times, base::Instant start,
                   base::Instant end) {
    for (std::size_t i = 1; i < times.size(); ++i)
        base::require(times[i] > times[i - 1], where, fmt::format("time {}", i + 1),
                      base::format_instant(times[i]),
                      fmt::format("a time after {}", base::format_instant(times[i - 1])));
    base::require(!times.empty() && times.front() <= start && times.back() >= end, where, "time",
                  times.empty() ? std::string("(none)")
                                : fmt::format("{} … {}", base::format_instant(times.front()),
                                              base::format_instant(times.back())),
                  fmt::format("times that cover the run, {} … {}", base::format_instant(start),
                              base::format_instant(end)));
}

Bracket bracket(const std::vector<base::Instant>& times, base::Instant time) {
    const auto after = std::ranges::upper_bound(times, time);
    if (after == times.begin()) return {};
    const auto first = static_cast<std::size_t>(after - times.begin()) - 1;
    if (after == times.end() || times[first] == time) return {first, first, 0.0};
    return {first, first + 1, time.seconds_since(times[first]) / (*after).seconds_since(times[first])};
}

SeaSeries::SeaSeries(const std::string& path, const ParametricSea& otherwise, base::Instant start,
                     base::Instant end) {
    if (path.ends_with(".nc"))
        read_netcdf(path, otherwise);
    else
        read_csv(path, otherwise);
    require_cover(path, times_, start, end);
}

void SeaSeries::read_csv(const std::string& path, const ParametricSea& otherwise) {
    const Table table(path);
    const int time = table.require({"time"});
    seas_.assign(table.rows(), otherwise);
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const auto instant = base::parse_instant(table.text(row, time));
        base::require(instant.has_value(), table.where(row), "time", table.text(row, time),
                      "a date such as 2024-09-03T06:00:00Z");
        times_.push_back(*instant);
    }
    for (const Quantity& one : quantities()) {
        const int column = one.needed ? table.require(one.names) : table.find(one.names);
        for (std::size_t row = 0; column >= 0 && row < table.rows(); ++row)
            seas_[row].*one.value = table.number(row, column, one.low, one.high);
    }
}

void SeaSeries::read_netcdf(const std::string& path, const ParametricSea& otherwise) {
    const netcdf::Reader file(path);
    const auto* time = file.find("time");
    base::require(time != nullptr && time->dimensions.size() == 1, path, "time", "", "an axis of time");
    const gridded::CfTime meaning(path, "time", file.text(*time, "units"), file.text(*time, "calendar"));
    for (const double value : file.read_axis(*time)) {
        base::require(meaning.holds(value), path, "time", fmt::to_string(value), "a time");
        times_.push_back(meaning.instant(value));
    }
    seas_.assign(times_.size(), otherwise);
    for (const Quantity& one : quantities()) {
        const netcdf::Reader::Variable* variable = nullptr;
        for (const std::string& name : one.names)
            if (variable == nullptr) variable = file.find(name);
        if (variable == nullptr && !one.needed) continue;
        base::require(variable != nullptr, path, one.names.front(), "", "a variable of this name over time");
        const std::vector<double> values = file.read_all(*variable);
        base::require(values.size() == times_.size(), path, one.names.front(),
                      fmt::format("{} values", values.size()),
                      fmt::format("one value for each of {} times, of one place", times_.size()));
        const bool to = file.text(*variable, "standard_name").ends_with("_to_direction");
        for (std::size_t i = 0; i < values.size(); ++i) {
            base::require(values[i] >= one.low && values[i] <= one.high, path,
                          fmt::format("{}({})", variable->name, i + 1), fmt::to_string(values[i]),
                          fmt::format("a number from {:g} to {:g}", one.low, one.high));
            seas_[i].*one.value = values[i] + (to ? 180.0 : 0.0);
        }
    }
}

ParametricSea SeaSeries::at(base::Instant time) const {
    const auto [first, second, part] = bracket(times_, time);
    const ParametricSea &a = seas_[first], &b = seas_[second];
    const auto between = [part = part](double x, double y) { return (1.0 - part) * x + part * y; };
    ParametricSea sea;
    sea.significant_height = std::sqrt(
        between(a.significant_height * a.significant_height, b.significant_height * b.significant_height));
    sea.peak_period = between(a.peak_period, b.peak_period);
    sea.bearing = a.bearing + part * std::remainder(b.bearing - a.bearing, 360.0);
    sea.spread = between(a.spread, b.spread);
    sea.peak_enhancement = between(a.peak_enhancement, b.peak_enhancement);
    return sea;
}

}  // namespace groundswell::sea
