#include "groundswell/gridded/series_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "groundswell/base/errors.hpp"

namespace groundswell::gridded {

namespace {

constexpr double year_milliseconds = 365.2425 * 86400e3;  // the Gregorian calendar's mean year

double milliseconds_of(base::Instant time) {
    return static_cast<double>(time.microseconds) / 1e3;
}

// Place in a mean year of a moment: the same fraction of a year in leap years and others.
double place_in_year(base::Instant time) {
    int year = std::stoi(base::format_instant(time).substr(0, 4));
    const double first = 86400e3 * static_cast<double>(base::days_from_civil(year, 1, 1));
    const double next = 86400e3 * static_cast<double>(base::days_from_civil(year + 1, 1, 1));
    return (milliseconds_of(time) - first) / (next - first) * year_milliseconds;
}

bool is_earlier(double milliseconds, const SeriesTimes::Record& record) {
    return milliseconds < record.milliseconds;
}

}  // namespace

SeriesTimes::SeriesTimes(const std::vector<SeriesSource>& sources, const std::vector<GridVariable>& variables,
                         const Quantity& quantity, const TimeRules& rules, base::Instant start,
                         base::Instant end)
    : rules_(rules) {
    std::vector<std::vector<double>> own;  // of every file, whether the others overlap them or not
    for (const GridVariable& variable : variables) {
        own.emplace_back();
        for (const double value : variable.times())
            own.back().push_back(rules_.repeat_every_year ? variable.time().milliseconds_into_year(value)
                                                          : milliseconds_of(variable.time().instant(value)));
    }
    for (std::size_t source = 0; source < own.size(); ++source) {
        const double first = own[source].front();
        if (source > 0)
            base::require(
                first > own[source - 1].front(), sources[source].path, "time", describe({source, 0, first}),
                fmt::format("files in order of time (it comes after {})", sources[source - 1].path));
        while (!records_.empty() && records_.back().milliseconds >= first) records_.pop_back();
        for (std::size_t step = 0; step < own[source].size(); ++step)
            records_.push_back({source, step, own[source][step]});
    }
    choose(sources, own, quantity, start, end);
}

void SeriesTimes::choose(const std::vector<SeriesSource>& sources,
                         const std::vector<std::vector<double>>& own, const Quantity& quantity,
                         base::Instant start, base::Instant end) {
    const Record &first = records_.front(), &last = records_.back();
    if (rules_.repeat_every_year) {
        base::require(
            last.milliseconds - first.milliseconds < year_milliseconds, sources.front().path, "time",
            fmt::format("{:.1f} days from first to last", (last.milliseconds - first.milliseconds) / 86400e3),
            "less than a year, to repeat every year");
        check_gaps(sources, own, quantity.section, 0, records_.size());
        return;
    }
    const double begin = milliseconds_of(start), finish = milliseconds_of(end);
    base::require(first.milliseconds <= begin && last.milliseconds >= finish, sources.front().path,
                  sources.front().variable, fmt::format("{} … {}", describe(first), describe(last)),
                  fmt::format("times that cover the run, {} … {}", base::format_instant(start),
                              base::format_instant(end)));
    const auto after_begin = std::upper_bound(records_.begin(), records_.end(), begin, is_earlier);
    const auto from_end = std::lower_bound(records_.begin(), records_.end(), finish,
                                           [](const Record& r, double t) { return r.milliseconds < t; });
    check_gaps(sources, own, quantity.section, static_cast<std::size_t>(after_begin - 1 - records_.begin()),
               static_cast<std::size_t>(from_end + 1 - records_.begin()));
    records_ = std::vector<Record>(after_begin - 1, from_end + 1);
}

// Looks at the records [begin, end) of all there are.
void SeriesTimes::check_gaps(const std::vector<SeriesSource>& sources,
                             const std::vector<std::vector<double>>& own, const std::string& section,
                             std::size_t begin, std::size_t end) const {
    const auto gap = find_gap(records_, own, begin, end, 1e3 * rules_.longest_step);
    if (!gap) return;
    const auto duration = [](double ms) {
        return base::format_duration(base::milliseconds(std::llround(ms)));
    };
    const Record &from = records_[gap->record], &to = records_[gap->record + 1];
    const std::string key = section + ".longest_step";
    base::refuse(sources[from.source].path, "time",
                 fmt::format("nothing from {} to {}", describe(from), describe(to)),
                 rules_.longest_step > 0.0
                     ? fmt::format("no step above {} = \"{}\"", key, duration(1e3 * rules_.longest_step))
                     : fmt::format("no gap: the times are {} apart; {} = \"{}\" in the case file bridges it",
                                   duration(gap->usual), key, duration(to.milliseconds - from.milliseconds)));
}

std::string SeriesTimes::describe(const Record& record) const {
    if (rules_.repeat_every_year) return fmt::format("day {:.2f} of the year", record.milliseconds / 86400e3);
    return base::format_instant(base::Instant{} +
                                base::milliseconds(static_cast<std::int64_t>(record.milliseconds)));
}

SeriesTimes::Bracket SeriesTimes::bracket(base::Instant time) const {
    double t = milliseconds_of(time);
    if (rules_.repeat_every_year) {
        t = place_in_year(time);
        const double first = records_.front().milliseconds;
        t -= std::floor((t - first) / year_milliseconds) * year_milliseconds;
        if (t < first) t += year_milliseconds;  // by less than the division can tell
    }
    const auto later = std::upper_bound(records_.begin(), records_.end(), t, is_earlier);
    const auto after = static_cast<std::size_t>(later - records_.begin());
    if (rules_.repeat_every_year && after == records_.size()) {
        const double from = records_.back().milliseconds,
                     to = records_.front().milliseconds + year_milliseconds;
        return {after - 1, 0, (t - from) / (to - from)};
    }
    if (after == records_.size() && t == records_.back().milliseconds) return {after - 1, after - 1, 0.0};
    GS_ASSERT(after > 0 && after < records_.size());  // times of the period only
    const double from = records_[after - 1].milliseconds, to = records_[after].milliseconds;
    return {after - 1, after, (t - from) / (to - from)};
}

}  // namespace groundswell::gridded
