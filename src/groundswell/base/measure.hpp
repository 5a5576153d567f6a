#pragma once

#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace groundswell::base {

/// The number that all of a text is; empty when it is none, or one that Number cannot hold.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// A number with one of these units behind it ("64 MiB", "40MB/s"), times the unit's factor; empty when the text
/// is none. Blanks may stand between them.
inline std::optional<double> parse_measure(std::string_view text,
                                           std::initializer_list<std::pair<std::string_view, double>> units) {
    double number = 0.0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc()) return std::nullopt;
    std::string_view unit(rest, static_cast<std::size_t>(end - rest));
    while (unit.starts_with(' ')) unit.remove_prefix(1);
    for (const auto& [name, factor] : units)
        if (unit == name) return number * factor;
    return std::nullopt;
}

/// A size for people: "400 bytes", "3.5 KiB", "64.02 MiB", "2 GiB".
std::string size_text(std::int64_t bytes);

}  // namespace groundswell::base
