#include "groundswell/sea/forcing/storm/track_lines.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/measure.hpp"

namespace groundswell::sea {

double TrackLine::value(std::size_t index, std::string_view name, double low, double high) const {
    if (index >= fields.size() || fields[index].empty()) return not_known;
    const auto found = base::parse_number<double>(fields[index]);
    base::require(found && *found >= low && *found <= high, where(), name, fields[index],
                  fmt::format("a number within {}…{}", low, high));
    return *found;
}

double TrackLine::coordinate(std::size_t index, std::string_view name, const std::array<char, 2>& letters,
                             double limit, double unit) const {
    const auto [plus, minus] = letters;
    const std::string_view text = fields[index];
    double found = 0.0;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, found);
    const bool whole = error == std::errc() && end + 1 == last && (*end == plus || *end == minus);
    base::require(whole && found >= 0.0 && found <= limit / unit, where(), name, text,
                  fmt::format("{} and {} or {}", unit < 1.0 ? "tenths of a degree" : "degrees", plus, minus));
    return (*end == plus ? unit : -unit) * found * base::degree;
}

// What four quadrants say together: nothing if none has such a wind; one left empty is the mean of the
// others.
std::array<double, 4> together(std::array<double, 4> quadrants) {
    double sum = 0.0;
    int given = 0;
    for (const double radius : quadrants)
        if (!std::isnan(radius)) {
            sum += radius;
            ++given;
        }
    for (double& radius : quadrants)
        if (sum == 0.0)
            radius = not_known;
        else if (std::isnan(radius))
            radius = sum / given;
    return quadrants;
}

bool is_tropical(std::string_view stage) {
    constexpr std::array<std::string_view, 6> others = {"EX", "PT", "LO", "WV", "DB", "DS"};
    return std::ranges::find(others, stage) == others.end();
}

void append(std::vector<StormFix>& fixes, const StormFix& fix, const TrackLine& line) {
    if (!fixes.empty() && !(fix.time > fixes.back().time))
        base::refuse(line.where(), "time", base::format_instant(fix.time),
                     fmt::format("a time after {}, the fix before", base::format_instant(fixes.back().time)));
    fixes.push_back(fix);
}

bool is_storm(std::string_view asked, std::string_view number, std::string_view name, std::string_view year) {
    const auto same = [](std::string_view a, std::string_view b) {
        return std::ranges::equal(
            a, b, [](unsigned char x, unsigned char y) { return std::toupper(x) == std::toupper(y); });
    };
    return same(asked, number) || same(asked, name) || same(asked, fmt::format("{} {}", name, year));
}

bool StormSearch::begin(const std::string& label, bool is_asked) {
    ++storms_;
    if (seen_.size() < 5) seen_.push_back(label);
    const bool wanted = wants_any() ? storms_ == 1 : is_asked;
    if (wanted) taken_.push_back(label);
    return wanted && taken_.size() == 1;
}

void StormSearch::finish(const std::string& path, std::string_view number) const {
    const std::string all = fmt::format("{}", fmt::join(seen_, ", "));
    if (wants_any())
        base::require(storms_ <= 1, path, "storms", fmt::format("{}, such as {}", storms_, all),
                      fmt::format("vortex with storm = \"NAME YEAR\" or its {} in the case file", number));
    base::require(
        taken_.size() == 1, path, "storm", asked_,
        taken_.empty()
            ? fmt::format("a name, with or without its year, or a {} of the file, such as {}", number, all)
            : fmt::format("one storm: {} have this name", fmt::join(taken_, ", ")));
}

}  // namespace groundswell::sea
