// The questions that are asked of a section, one for each type of value.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glob.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/words.hpp"
#include "groundswell/simulation/case/case_state.hpp"

namespace groundswell::simulation {
namespace {

// The path itself, or of a pattern of the shell the files that there are, by name; none where there are none.
std::vector<std::string> files_like(const std::string& path) {
    std::error_code unreadable;
    if (path.find_first_of("*?[") == std::string::npos || std::filesystem::exists(path, unreadable))
        return {path};
    glob_t matches{};
    std::vector<std::string> found;
    if (glob(path.c_str(), GLOB_NOSORT, nullptr, &matches) == 0)
        found.assign(matches.gl_pathv, matches.gl_pathv + matches.gl_pathc);
    globfree(&matches);
    std::ranges::sort(found);  // glob() itself would go by the words of the user's language
    return found;
}

std::string show_number(double value) {
    return fmt::format("{}", value);
}

std::string show_range(Range range) {
    const bool low = std::isfinite(range.minimum), high = std::isfinite(range.maximum);
    if (low && high) return fmt::format("{} … {}", show_number(range.minimum), show_number(range.maximum));
    if (low) return fmt::format("≥ {}", show_number(range.minimum));
    if (high) return fmt::format("≤ {}", show_number(range.maximum));
    return "";
}

std::string with_unit(std::string_view what, Range range, std::string_view unit) {
    std::string text(what);
    const std::string bounds = show_range(range);
    if (!bounds.empty()) text += fmt::format(" {}", bounds);
    if (!unit.empty()) text += fmt::format(" {}", unit);
    return text;
}

std::optional<std::string> quoted(const std::optional<std::string>& text) {
    return text ? std::optional(fmt::format("\"{}\"", *text)) : std::nullopt;
}

}  // namespace

bool Section::has(std::string_view key) const {
    return node_->table != nullptr && node_->table->contains(key);
}

bool Section::describing() const {
    return node_->state->describing;
}

Section Section::section(std::string_view key) const {
    const std::string name = join(node_->name, key);
    node_->state->tables.push_back(name);
    const toml::table* table = nullptr;
    if (has(key)) {
        table = node_->table->get_as<toml::table>(key);
        if (table == nullptr) refuse(key, fmt::format("a table [{}]", name));
    }
    return Section(std::make_shared<Node>(Node{node_->state, table, name}));
}

std::vector<Section> Section::sections(std::string_view key) const {
    const std::string name = join(node_->name, key) + "[]";
    node_->state->tables.push_back(name);
    std::vector<Section> found;
    if (describing()) found.push_back(Section(std::make_shared<Node>(Node{node_->state, nullptr, name})));
    if (!has(key)) return found;
    const toml::array* array = node_->table->get_as<toml::array>(key);
    if (array == nullptr || (!array->empty() && !array->is_array_of_tables()))
        refuse(key, fmt::format("tables [[{}]]", join(node_->name, key)));
    for (const toml::node& entry : *array)
        found.push_back(Section(std::make_shared<Node>(Node{node_->state, entry.as_table(), name})));
    return found;
}

void Section::refuse(std::string_view key, std::string_view expected) const {
    const toml::node* node = node_->table != nullptr ? node_->table->get(key) : nullptr;
    base::refuse(place(key), join(node_->name, key), node != nullptr ? show(*node) : "", expected);
}

std::string Section::place(std::string_view key) const {
    const toml::node* node = node_->table != nullptr ? node_->table->get(key) : nullptr;
    return where(node_->state->file, node != nullptr ? node : node_->table);
}

double Section::number(std::string_view key, std::optional<double> fallback, Range range,
                       KeyText text) const {
    std::string expected = with_unit("a number", range, text.unit);
    if (!text.source.empty()) expected += fmt::format(" ({})", text.source);
    const toml::node* node =
        node_->need(*this, key, "number", show_range(range),
                    fallback ? std::optional(show_number(*fallback)) : std::nullopt, text, expected);
    if (node == nullptr) return fallback.value_or(0.0);
    const std::optional<double> value = node->is_number() ? node->value<double>() : std::nullopt;
    if (!value || !is_plausible(*value) || *value < range.minimum || *value > range.maximum)
        refuse(key, range.maximum > largest ? expected + ", within 1e30 of 0" : expected);
    return *value;
}

int Section::integer(std::string_view key, std::optional<int> fallback, Range range, KeyText text) const {
    const std::string expected = with_unit("a whole number", range, text.unit);
    const toml::node* node =
        node_->need(*this, key, "integer", show_range(range),
                    fallback ? std::optional(std::to_string(*fallback)) : std::nullopt, text, expected);
    if (node == nullptr) return fallback.value_or(0);
    const auto* integer = node->as_integer();
    if (integer == nullptr || static_cast<double>(integer->get()) < std::max(range.minimum, -2e9) ||
        static_cast<double>(integer->get()) > std::min(range.maximum, 2e9))
        refuse(key, expected);
    return static_cast<int>(integer->get());
}

bool Section::boolean(std::string_view key, std::optional<bool> fallback, KeyText text) const {
    const toml::node* node =
        node_->need(*this, key, "true or false", "",
                    fallback ? std::optional<std::string>(*fallback ? "true" : "false") : std::nullopt, text,
                    "true or false");
    if (node == nullptr) return fallback.value_or(false);
    if (!node->is_boolean()) refuse(key, "true or false");
    return node->as_boolean()->get();
}

std::string Section::text(std::string_view key, std::optional<std::string> fallback, KeyText text) const {
    const toml::node* node = node_->need(*this, key, "text", "", quoted(fallback), text, "a text in quotes");
    if (node == nullptr) return fallback.value_or("");
    if (!node->is_string()) refuse(key, "a text in quotes");
    return node->as_string()->get();
}

std::string Section::text_or_number(std::string_view key, std::optional<std::string> fallback,
                                    KeyText text) const {
    const toml::node* node =
        node_->need(*this, key, "number | text", "", fallback, text, "a number, or a text in quotes");
    if (node == nullptr) return fallback.value_or("");
    if (node->is_string()) return node->as_string()->get();
    if (!node->is_number()) refuse(key, "a number, or a text in quotes");
    return show(*node);
}

std::map<std::string, std::string> Section::free_table(std::string_view key, KeyText text) const {
    const Section inner = section(key);
    std::map<std::string, std::string> found;
    std::vector<std::string> shown;
    if (inner.node_->table != nullptr) {
        for (const auto& [name, node] : *inner.node_->table) {
            if (!node.is_string() && !node.is_number() && !node.is_boolean())
                inner.refuse(name.str(), "a text in quotes, a number, true or false");
            const std::string value = node.is_string() ? node.as_string()->get() : show(node);
            found[std::string(name.str())] = value;
            shown.push_back(fmt::format("{} = {}", name.str(), value));
        }
    }
    node_->state->remember({join(inner.node_->name, "*"), "text", std::string(text.unit), "", "",
                            std::string(text.meaning), std::string(text.source),
                            fmt::format("{}", fmt::join(shown, ", ")), !found.empty()});
    return found;
}

std::string Section::choice(std::string_view key, std::optional<std::string> fallback,
                            const std::vector<std::string>& words, KeyText text) const {
    GS_ASSERT(!fallback || std::ranges::find(words, *fallback) != words.end());
    const std::string list = fmt::format("\"{}\"", fmt::join(words, "\" | \""));
    const toml::node* node = node_->need(*this, key, list, "", quoted(fallback), text, list);
    if (node == nullptr) return fallback.value_or(words.front());
    const auto* word = node->as_string();
    if (word == nullptr || std::find(words.begin(), words.end(), word->get()) == words.end()) {
        const std::string nearest = word != nullptr ? base::nearest_word(word->get(), words) : "";
        refuse(key, nearest.empty() ? list : fmt::format("{} (did you mean \"{}\"?)", list, nearest));
    }
    return word->get();
}

std::string Section::path(std::string_view key, std::optional<std::string> fallback, KeyText text) const {
    const toml::node* node = node_->need(*this, key, "path", "", quoted(fallback), text, "a path in quotes");
    if (node != nullptr && (!node->is_string() || node->as_string()->get().empty()))
        refuse(key, "a path in quotes");
    const std::string value = node != nullptr ? node->as_string()->get() : fallback.value_or("");
    if (value.empty()) return value;
    return (std::filesystem::path(node_->state->file).parent_path() / value).lexically_normal().string();
}

std::vector<std::string> Section::paths(std::string_view key, KeyText text) const {
    const toml::node* node = node_->ask(key, "path or list of paths", "", "", text);
    if (node == nullptr) return {};
    const std::filesystem::path folder = std::filesystem::path(node_->state->file).parent_path();
    std::vector<std::string> found;
    const auto add = [&](const toml::node& entry) {
        if (!entry.is_string() || entry.as_string()->get().empty()) refuse(key, "a path or a list of paths");
        const std::string path = (folder / entry.as_string()->get()).lexically_normal().string();
        const std::vector<std::string> all = files_like(path);
        if (all.empty()) refuse(key, "a pattern of files that there are, or a path");
        found.insert(found.end(), all.begin(), all.end());
    };
    if (const toml::array* array = node->as_array()) {
        if (array->empty()) refuse(key, "a path or a list of paths");
        for (const toml::node& entry : *array) add(entry);
    } else {
        add(*node);
    }
    return found;
}

base::Instant Section::instant(std::string_view key, KeyText text) const {
    const std::string_view expected = "a date and time, such as 2024-09-03T00:00:00Z";
    const toml::node* node = node_->need(*this, key, "date and time", "", std::nullopt, text, expected);
    if (node == nullptr) return {};
    std::optional<base::Instant> parsed;
    if (node->is_date_time() || node->is_date())
        parsed = base::parse_instant(show(*node));
    else if (const auto* string = node->as_string())
        parsed = base::parse_instant(string->get());
    if (!parsed) refuse(key, expected);
    return *parsed;
}

std::optional<base::Duration> Section::duration_or(std::string_view key, std::string_view word,
                                                   std::optional<base::Duration> fallback,
                                                   KeyText text) const {
    const std::string type = word.empty() ? "duration" : fmt::format("duration | \"{}\"", word);
    const std::string missing = word.empty() ? required_text : fmt::format("\"{}\"", word);
    const toml::node* node = node_->ask(
        key, type, "", fallback ? fmt::format("\"{}\"", base::format_duration(*fallback)) : missing, text);
    std::string expected = "a duration greater than zero, such as \"90s\", \"15min\", \"1h\" or \"2d\"";
    if (!word.empty()) expected += fmt::format(", or \"{}\"", word);
    if (node == nullptr) {
        if (word.empty() && !fallback && !describing()) refuse(key, expected);
        return fallback;
    }
    const auto* string = node->as_string();
    if (string == nullptr) refuse(key, expected);
    if (!word.empty() && string->get() == word) return std::nullopt;
    const std::optional<base::Duration> parsed = base::parse_duration(string->get());
    if (!parsed || parsed->microseconds <= 0) refuse(key, expected);
    return parsed;
}

}  // namespace groundswell::simulation
