#include "groundswell/simulation/case/case_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <toml++/toml.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/nearest_word.hpp"
#include "groundswell/base/one_line.hpp"
#include "groundswell/base/plain_file.hpp"

namespace groundswell::simulation {

struct CaseReader::State {
    std::string file;
    std::string file_text;
    std::vector<std::string> overrides;
    toml::table document;
    bool describing = false;
    std::vector<KeyRecord> keys;
    std::vector<std::string> tables;  // dotted names of the sections asked for, "" for the root

    void remember(KeyRecord record) {
        const auto same = [&](const KeyRecord& known) { return known.key == record.key; };
        const auto known = std::find_if(keys.begin(), keys.end(), same);
        if (known == keys.end()) {
            keys.push_back(std::move(record));
        } else if (record.key.find("[]") != std::string::npos && !describing) {
            // One value for each table of an array.
            known->value += " | " + record.value;
            known->given = known->given || record.given;
        }
    }
};

struct Section::Node {
    CaseReader::State* state;
    const toml::table* table;  // null when absent or describing
    std::string name;          // dotted, "output.map[]"

    /// Records the key and returns what stands in the case; null when nothing does.
    const toml::node* ask(std::string_view key, const std::string& type, const std::string& range,
                          const std::string& fallback, const KeyText& text) const;
};

namespace {

std::string join(std::string_view section, std::string_view key) {
    if (key.empty()) return std::string(section);
    return section.empty() ? std::string(key) : fmt::format("{}.{}", section, key);
}

// The value as people write it in TOML.
std::string show(const toml::node& node) {
    if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
    if (const auto* string = node.as_string()) return fmt::format("\"{}\"", string->get());
    if (const toml::array* array = node.as_array()) {
        std::vector<std::string> entries;
        for (const toml::node& entry : *array) entries.push_back(show(entry));
        return fmt::format("[{}]", fmt::join(entries, ", "));
    }
    std::ostringstream stream;
    node.visit([&](const auto& value) { stream << value; });
    return stream.str();
}

// What stands as the file's name in the place of a value from the command line.
constexpr std::string_view command_line = "--set";

std::string where(const std::string& file, const toml::node* node) {
    if (node == nullptr || node->source().begin.line == 0) return file;
    if (node->source().path && *node->source().path == command_line)
        return fmt::format("{} ({})", file, command_line);
    return fmt::format("{}:{}", file, node->source().begin.line);
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

}  // namespace

// ---------------------------------------------------------------------------------------------- reader

CaseReader::CaseReader() : state_(std::make_unique<State>()) {}
CaseReader::~CaseReader() = default;
CaseReader::CaseReader(CaseReader&&) noexcept = default;

namespace {

// Walks to the table that holds the last part of a dotted key, making tables on the way.
toml::table* walk_to_parent(toml::table& root, const std::vector<std::string>& parts,
                            const std::string& override, const std::string& file) {
    const auto is_number = [](const std::string& part) {
        return !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
    };
    toml::node* node = &root;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        if (toml::array* array = node->as_array()) {
            const std::size_t index =
                is_number(parts[i]) && parts[i].size() < 10 ? std::stoul(parts[i]) : array->size();
            base::require(index < array->size(), "--set", override, "",
                          fmt::format("the number of a table, 0 to {}, in place of '{}'",
                                      static_cast<long>(array->size()) - 1, base::shortened(parts[i])));
            node = array->get(index);
        } else if (toml::table* table = node->as_table()) {
            const bool known = table->contains(parts[i]);
            const auto name = [&] {
                return fmt::format(
                    "{}", fmt::join(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(i) + 1, "."));
            };
            base::require(
                known || !is_number(parts[i + 1]), "--set", override, "",
                fmt::format("a table [[{}]] to set it in; {} has none", base::shortened(name()), file));
            if (!known) table->insert(parts[i], toml::table{});
            node = table->get(parts[i]);
        }
    }
    base::require(node->is_table(), "--set", override, "", "the key of a table");
    return node->as_table();
}

// The parser goes some calls deeper for every part of a key, without end.
void refuse_deep_keys(const std::string& text, const std::string& file) {
    constexpr int most_points = 100;
    int points = 0, line = 1;
    for (const char c : text) {
        if (c == '.') ++points;
        if (c == '\n') ++line;
        if (std::string_view("\n=,\"'#[]{}").find(c) != std::string_view::npos) points = 0;
        if (points > most_points)
            base::refuse(fmt::format("{}:{}", file, line), "", "",
                         fmt::format("keys with at most {} points", most_points));
    }
}

// A bare word is a text: --set output.mode=serial.
toml::table parse_bare_word(const std::string& override, const std::string& value) {
    try {
        return toml::parse(fmt::format("value = '''{}'''", value), command_line);
    } catch (const toml::parse_error&) {
        base::refuse("--set", override, "", "a TOML value, or a text in UTF-8 without control characters");
    }
}

void apply_override(toml::table& document, const std::string& override, const std::string& file) {
    const std::size_t equals = override.find('=');
    base::require(equals != std::string::npos && equals > 0, "--set", "", override,
                  "KEY=VALUE, as spectrum.directions=24");
    const std::string value = override.substr(equals + 1);
    std::vector<std::string> parts{""};
    for (const char c : override.substr(0, equals)) {
        if (c == '.')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    base::require(std::find(parts.begin(), parts.end(), "") == parts.end() && parts.size() < 100, "--set",
                  override, "",
                  "KEY=VALUE, as spectrum.directions=24: parts of a key with one point between them");
    refuse_deep_keys(value, "--set");
    toml::table parsed;
    try {
        parsed = toml::parse("value = " + value, command_line);
    } catch (const toml::parse_error&) {
        parsed = parse_bare_word(override, value);
    }
    base::require(parsed.size() == 1, "--set", override, "", "one KEY=VALUE: another --set for another key");
    walk_to_parent(document, parts, override, file)
        ->insert_or_assign(parts.back(), std::move(*parsed.get("value")));
}

// The system ends a name at a zero character: another file would be meant than the case says.
void refuse_zeros(const toml::node& node, const std::string& file) {
    const auto check = [&](std::string_view text, const toml::node& place) {
        base::require(text.find('\0') == std::string_view::npos, where(file, &place), "", std::string(text),
                      "a text without zero characters (\\u0000)");
    };
    if (const auto* text = node.as_string()) check(text->get(), node);
    if (const auto* array = node.as_array())
        for (const toml::node& entry : *array) refuse_zeros(entry, file);
    if (const auto* table = node.as_table()) {
        for (const auto& [key, entry] : *table) {
            check(key.str(), entry);
            refuse_zeros(entry, file);
        }
    }
}

}  // namespace

CaseReader::CaseReader(const std::string& file, const std::vector<std::string>& overrides) : CaseReader() {
    state_->file = file;
    state_->overrides = overrides;
    base::require_plain_file(file);
    std::ifstream stream(file);
    base::require(stream.good(), file, "", "", "a case file that can be read");
    std::stringstream text;
    text << stream.rdbuf();
    state_->file_text = text.str();
    refuse_deep_keys(state_->file_text, file);
    try {
        state_->document = toml::parse(state_->file_text, file);
    } catch (const toml::parse_error& error) {
        base::refuse(fmt::format("{}:{}", file, error.source().begin.line), "",
                     std::string(error.description()), "a TOML document");
    }
    for (const std::string& override : overrides) apply_override(state_->document, override, file);
    refuse_zeros(state_->document, file);
}

CaseReader CaseReader::describe() {
    CaseReader reader;
    reader.state_->describing = true;
    reader.state_->file = "case.toml";
    return reader;
}

Section CaseReader::root() const {
    state_->tables.push_back("");
    return Section(std::make_shared<Section::Node>(
        Section::Node{state_.get(), state_->describing ? nullptr : &state_->document, ""}));
}

const std::string& CaseReader::file() const {
    return state_->file;
}

std::string CaseReader::folder() const {
    const std::string folder = std::filesystem::path(state_->file).parent_path().string();
    return folder.empty() ? "." : folder;
}

std::string CaseReader::text() const {
    std::string text = state_->file_text;
    for (const std::string& override : state_->overrides) text += fmt::format("# --set {}\n", override);
    return text;
}

const std::vector<KeyRecord>& CaseReader::keys() const {
    return state_->keys;
}

namespace {

// The name of a section or key as it stands in a case file: tables "output.map[]" are [[output.map]] there.
std::string as_written(const std::string& name) {
    return name.ends_with("[]") ? fmt::format("[[{}]]", name.substr(0, name.size() - 2)) : name;
}

// Finds the first key of `table` that is neither a known key nor the name of a known section.
void check_table(const toml::table& table, const std::string& section, const std::string& file,
                 const std::vector<std::string>& known) {
    for (const auto& [key, node] : table) {
        const std::string plain = join(section, std::string(key.str()));
        const std::string array = plain + "[]";
        // A key in quotes may look like a path of keys, or like none at all; no known key has such a name.
        const bool simple = !key.str().empty() && key.str().find_first_of(".[]*") == std::string_view::npos;
        const auto is = [&](const std::string& name) {
            return simple && std::find(known.begin(), known.end(), name) != known.end();
        };
        if (node.is_array_of_tables() && is(array)) {
            for (const toml::node& entry : *node.as_array())
                check_table(*entry.as_table(), array, file, known);
        } else if (is(plain + ".*")) {
            continue;  // a free table: its keys are the case's own
        } else if (is(plain)) {
            if (node.is_table()) check_table(*node.as_table(), plain, file, known);
        } else {
            // A table or a value of that name stands where tables [[name]] belong.
            const bool single = is(array);
            const std::string nearest = single ? array : base::nearest_word(plain, known);
            const std::string value = node.is_table() || node.is_array_of_tables() ? "" : show(node);
            if (!simple)
                base::refuse(where(file, &node), join(section, fmt::format("\"{}\"", key.str())), value,
                             "a known key: within quotes a point does not lead into a table");
            base::refuse(where(file, &node), plain, value,
                         nearest.empty() ? "a known key (groundswell run --explain lists them)"
                         : single        ? "tables " + as_written(nearest)
                                  : fmt::format("a known key; the nearest one is '{}'", as_written(nearest)));
        }
    }
}

}  // namespace

void CaseReader::refuse_unknown_keys(const CaseReader& asked) const {
    std::vector<std::string> known;
    for (const KeyRecord& record : asked.state_->keys) known.push_back(record.key);
    for (const std::string& table : asked.state_->tables) known.push_back(table);
    check_table(state_->document, "", state_->file, known);
}

// ---------------------------------------------------------------------------------------------- section

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
    const toml::node* place = node != nullptr ? node : node_->table;
    base::refuse(where(node_->state->file, place), join(node_->name, key), node != nullptr ? show(*node) : "",
                 expected);
}

namespace {
const std::string required_text = "required";
}

const toml::node* Section::Node::ask(std::string_view key, const std::string& type, const std::string& range,
                                     const std::string& fallback, const KeyText& text) const {
    const toml::node* node = table != nullptr ? table->get(key) : nullptr;
    const std::string value = state->describing ? "" : node != nullptr ? show(*node) : fallback;
    state->remember({join(name, key), type, std::string(text.unit), range, fallback,
                     std::string(text.meaning), std::string(text.source), value, node != nullptr});
    return node;
}

double Section::number(std::string_view key, std::optional<double> fallback, Range range,
                       KeyText text) const {
    const toml::node* node =
        node_->ask(key, "number", show_range(range), fallback ? show_number(*fallback) : required_text, text);
    const std::string expected = with_unit("a number", range, text.unit);
    if (node == nullptr) {
        if (!fallback && !describing()) refuse(key, expected);
        return fallback.value_or(0.0);
    }
    const std::optional<double> value = node->is_number() ? node->value<double>() : std::nullopt;
    if (!value || !std::isfinite(*value) || *value < range.minimum || *value > range.maximum)
        refuse(key, expected);
    return *value;
}

int Section::integer(std::string_view key, std::optional<int> fallback, Range range, KeyText text) const {
    const toml::node* node = node_->ask(key, "integer", show_range(range),
                                        fallback ? fmt::format("{}", *fallback) : required_text, text);
    const std::string expected = with_unit("a whole number", range, text.unit);
    if (node == nullptr) {
        if (!fallback && !describing()) refuse(key, expected);
        return fallback.value_or(0);
    }
    const auto* integer = node->as_integer();
    if (integer == nullptr || static_cast<double>(integer->get()) < std::max(range.minimum, -2e9) ||
        static_cast<double>(integer->get()) > std::min(range.maximum, 2e9))
        refuse(key, expected);
    return static_cast<int>(integer->get());
}

bool Section::boolean(std::string_view key, std::optional<bool> fallback, KeyText text) const {
    const toml::node* node =
        node_->ask(key, "true or false", "", fallback ? (*fallback ? "true" : "false") : required_text, text);
    if (node == nullptr) {
        if (!fallback && !describing()) refuse(key, "true or false");
        return fallback.value_or(false);
    }
    if (!node->is_boolean()) refuse(key, "true or false");
    return node->as_boolean()->get();
}

std::string Section::text(std::string_view key, std::optional<std::string> fallback, KeyText text) const {
    const toml::node* node =
        node_->ask(key, "text", "", fallback ? fmt::format("\"{}\"", *fallback) : required_text, text);
    if (node == nullptr) {
        if (!fallback && !describing()) refuse(key, "a text in quotes");
        return fallback.value_or("");
    }
    if (!node->is_string()) refuse(key, "a text in quotes");
    return node->as_string()->get();
}

std::string Section::text_or_number(std::string_view key, std::optional<std::string> fallback,
                                    KeyText text) const {
    const toml::node* node = node_->ask(key, "number | text", "", fallback.value_or(required_text), text);
    if (node == nullptr) {
        if (!fallback && !describing()) refuse(key, "a number, or a text in quotes");
        return fallback.value_or("");
    }
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
    const std::string list = fmt::format("\"{}\"", fmt::join(words, "\" | \""));
    const toml::node* node =
        node_->ask(key, list, "", fallback ? fmt::format("\"{}\"", *fallback) : required_text, text);
    if (node == nullptr) {
        if (!fallback && !describing()) refuse(key, list);
        return fallback.value_or(words.front());
    }
    const auto* word = node->as_string();
    if (word == nullptr || std::find(words.begin(), words.end(), word->get()) == words.end()) {
        const std::string nearest = word != nullptr ? base::nearest_word(word->get(), words) : "";
        refuse(key, nearest.empty() ? list : fmt::format("{} (did you mean \"{}\"?)", list, nearest));
    }
    return word->get();
}

std::string Section::path(std::string_view key, std::optional<std::string> fallback, KeyText text) const {
    const toml::node* node =
        node_->ask(key, "path", "", fallback ? fmt::format("\"{}\"", *fallback) : required_text, text);
    if (node == nullptr && !fallback && !describing()) refuse(key, "a path in quotes");
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
        found.push_back((folder / entry.as_string()->get()).lexically_normal().string());
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
    const toml::node* node = node_->ask(key, "date and time", "", required_text, text);
    const std::string_view expected = "a date and time, as 2024-09-03T00:00:00Z";
    if (node == nullptr) {
        if (!describing()) refuse(key, expected);
        return {};
    }
    if (!node->is_date_time() && !node->is_date()) {
        const auto* string = node->as_string();
        const std::optional<base::Instant> parsed =
            string != nullptr ? base::parse_instant(string->get()) : std::nullopt;
        if (!parsed) refuse(key, expected);
        return *parsed;
    }
    const std::optional<base::Instant> parsed = base::parse_instant(show(*node));
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
    std::string expected = "a duration greater than zero, as \"90s\", \"15min\", \"1h\" or \"2d\"";
    if (!word.empty()) expected += fmt::format(", or \"{}\"", word);
    if (node == nullptr) {
        if (word.empty() && !fallback && !describing()) refuse(key, expected);
        return fallback;
    }
    const auto* string = node->as_string();
    if (string == nullptr) refuse(key, expected);
    if (!word.empty() && string->get() == word) return std::nullopt;
    const std::optional<base::Duration> parsed = base::parse_duration(string->get());
    if (!parsed || parsed->milliseconds <= 0) refuse(key, expected);
    return parsed;
}

std::vector<std::string> Section::words(std::string_view key, const std::vector<std::string>& fallback,
                                        const std::vector<std::string>& known, KeyText text) const {
    const std::string list =
        known.empty() ? "list of texts" : fmt::format("list of \"{}\"", fmt::join(known, "\" | \""));
    const toml::node* node =
        node_->ask(key, list, "",
                   fallback.empty() ? "[]" : fmt::format("[\"{}\"]", fmt::join(fallback, "\", \"")), text);
    if (node == nullptr) return fallback;
    const toml::array* array = node->as_array();
    if (array == nullptr || array->empty()) refuse(key, list);
    std::vector<std::string> found;
    for (const toml::node& entry : *array) {
        const auto* word = entry.as_string();
        if (word == nullptr) refuse(key, list);
        if (!known.empty() && std::find(known.begin(), known.end(), word->get()) == known.end()) {
            const std::string nearest = base::nearest_word(word->get(), known);
            refuse(key, fmt::format("{}; \"{}\" is not one of them{}", list, word->get(),
                                    nearest.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", nearest)));
        }
        if (std::find(found.begin(), found.end(), word->get()) == found.end()) found.push_back(word->get());
    }
    return found;
}

std::vector<double> Section::numbers(std::string_view key, std::size_t count, KeyText text) const {
    const std::string type = count == 0 ? "list of numbers" : fmt::format("list of {} numbers", count);
    const toml::node* node = node_->ask(key, type, "", "", text);
    if (node == nullptr) return {};
    const toml::array* array = node->as_array();
    if (array == nullptr || (count != 0 && array->size() != count)) refuse(key, type);
    std::vector<double> found;
    for (const toml::node& entry : *array) {
        const std::optional<double> value = entry.is_number() ? entry.value<double>() : std::nullopt;
        if (!value || !std::isfinite(*value)) refuse(key, type);
        found.push_back(*value);
    }
    return found;
}

std::vector<std::pair<double, double>> Section::positions(std::string_view key, KeyText text) const {
    const std::string type = "list of [longitude, latitude] in degrees";
    const toml::node* node = node_->ask(key, type, "", required_text, text);
    if (node == nullptr) {
        if (!describing()) refuse(key, type);
        return {};
    }
    const toml::array* array = node->as_array();
    if (array == nullptr || array->empty()) refuse(key, type);
    std::vector<std::pair<double, double>> found;
    for (const toml::node& entry : *array) {
        const toml::array* pair = entry.as_array();
        if (pair == nullptr || pair->size() != 2 || !pair->get(0)->is_number() || !pair->get(1)->is_number())
            refuse(key, type);
        const double lon = *pair->get(0)->value<double>(), lat = *pair->get(1)->value<double>();
        if (!(lon >= -360.0 && lon <= 360.0 && lat >= -90.0 && lat <= 90.0)) refuse(key, type);
        found.emplace_back(lon, lat);
    }
    return found;
}

}  // namespace groundswell::simulation
