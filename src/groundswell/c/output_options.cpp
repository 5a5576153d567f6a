#include "groundswell/c/output_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <set>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/words.hpp"

namespace groundswell::c {

namespace {

constexpr std::string_view where = "output options";

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

template <class T>
T number(std::string_view key, std::string_view value) {
    T result{};
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
    base::require(error == std::errc() && end == value.data() + value.size() && result >= T{}, where, key,
                  value, "a number, 0 or more");
    return result;
}

void set(output::OutputOptions& options, std::string_view key, std::string_view value) {
    if (key == "mode") {
        options.mode = value;  // the output itself knows which there are
    } else if (key == "backend") {
        options.backend = value;
    } else if (key == "buffer_bytes") {
        options.buffer_bytes = number<std::int64_t>(key, value);
    } else if (key == "on_error") {
        base::require(value == "stop" || value == "drop" || value == "retry", where, key, value,
                      "one of stop, drop, retry");
        options.on_error = value == "stop"   ? output::OnError::stop
                           : value == "drop" ? output::OnError::drop
                                             : output::OnError::retry;
    } else if (key == "format") {
        options.storage.format = output::parse_format(value, where, key);
    } else if (key == "compression") {
        options.storage.compression = number<int>(key, value);
    } else if (key == "checksums") {
        base::require(value == "true" || value == "false", where, key, value, "true or false");
        options.checksums = value == "true";
    } else if (key == "silence") {
        options.silence = number<double>(key, value);
    } else if (key.starts_with("hint.")) {
        options.hints.emplace(key.substr(5), value);
    } else {
        const std::vector<std::string> known{"mode",   "backend",     "buffer_bytes", "on_error",
                                             "format", "compression", "checksums",    "silence"};
        const std::string nearest = base::nearest_word(key, known);
        base::refuse(where, key, value,
                     fmt::format("one of the keys {}, hint.NAME{}", fmt::join(known, ", "),
                                 nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest)));
    }
}

}  // namespace

output::OutputOptions read_output_options(std::string_view text) {
    output::OutputOptions options;
    options.where = where;
    options.names.hints = "hint";
    options.names.servers = "gs_servers_split";
    std::set<std::string_view> seen;
    while (!trimmed(text).empty()) {
        const std::string_view item = text.substr(0, text.find(','));
        text.remove_prefix(std::min(item.size() + 1, text.size()));
        const auto equals = item.find('=');
        base::require(equals != std::string_view::npos, where, trimmed(item), "", "KEY = VALUE");
        const std::string_view key = trimmed(item.substr(0, equals)),
                               value = trimmed(item.substr(equals + 1));
        base::require(seen.insert(key).second, where, key, value, "each key once");
        set(options, key, value);
    }
    return options;
}

}  // namespace groundswell::c
