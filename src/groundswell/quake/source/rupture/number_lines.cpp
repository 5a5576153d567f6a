#include "groundswell/quake/source/rupture/number_lines.hpp"

#include <charconv>
#include <cmath>
#include <utility>

namespace groundswell::quake {

namespace {

constexpr std::string_view blanks = " \t\r";

}  // namespace

NumberLines::NumberLines(std::string path) : path_(std::move(path)) {
    base::require_plain_file(path_);
    file_.open(path_);
    base::require(file_.good(), path_, "", "", "a file that can be read");
}

bool NumberLines::next() {
    if (!std::getline(file_, line_)) return false;
    ++number_;
    return true;
}

bool NumberLines::next_with_content() {
    while (next()) {
        const std::size_t first = line_.find_first_not_of(blanks);
        if (first != std::string::npos && line_[first] != '#') return true;
    }
    return false;
}

std::string_view NumberLines::first_word() const {
    const std::size_t first = line_.find_first_not_of(blanks);
    if (first == std::string::npos) return {};
    const std::size_t end = line_.find_first_of(blanks, first);
    return std::string_view(line_).substr(first, end == std::string::npos ? end : end - first);
}

void NumberLines::append_to(std::vector<double>& numbers, std::string_view expected) const {
    const char* at = line_.data();
    const char* const end = at + line_.size();
    for (;;) {
        while (at < end && blanks.find(*at) != std::string_view::npos) ++at;
        if (at == end) return;
        if (*at == '+') ++at;
        double value = 0.0;
        const auto [rest, error] = std::from_chars(at, end, value);
        const bool whole = rest == end || blanks.find(*rest) != std::string_view::npos;
        if (error != std::errc{} || !whole || !std::isfinite(value)) refuse(expected);
        numbers.push_back(value);
        at = rest;
    }
}

std::vector<double> NumberLines::numbers(std::size_t count, std::string_view expected) const {
    std::vector<double> all;
    append_to(all, expected);
    if (all.size() != count) refuse(expected);
    return all;
}

std::int64_t NumberLines::count(double number, std::string_view what) const {
    if (!(number >= 0.0 && number <= 1e9 && number == std::floor(number)))
        refuse(fmt::format("{}, a whole number from 0 to 1e9, not {}", what, number));
    return static_cast<std::int64_t>(number);
}

}  // namespace groundswell::quake
