#include "groundswell/simulation/case_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <toml++/toml.h>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/words.hpp"
#include "groundswell/simulation/case/case_state.hpp"

namespace groundswell::simulation {

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
                  "KEY=VALUE, such as spectrum.directions=24");
    const std::string value = override.substr(equals + 1);
    std::vector<std::string> parts{""};
    for (const char c : override.substr(0, equals)) {
        if (c == '.')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    base::require(
        std::find(parts.begin(), parts.end(), "") == parts.end() && parts.size() < 100, "--set", override, "",
        "KEY=VALUE, such as spectrum.directions=24: parts of a key with one point between each two");
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
void refuse_zeros(const toml::node& node, const std::string& name, const std::string& file) {
    const auto check = [&](std::string_view text, const std::string& key, const toml::node& place) {
        if (text.find('\0') == std::string_view::npos) return;
        base::refuse(where(file, &place), key, std::string(text), "a text without zero characters (\\u0000)");
    };
    if (const auto* text = node.as_string()) check(text->get(), name, node);
    if (const auto* array = node.as_array())
        for (const toml::node& entry : *array)
            refuse_zeros(entry, entry.is_table() ? name + "[]" : name, file);
    if (const auto* table = node.as_table()) {
        for (const auto& [key, entry] : *table) {
            check(key.str(), name, entry);
            refuse_zeros(entry, join(name, std::string(key.str())), file);
        }
    }
}

// Fortran namelists, as other programs of this field have them.
void refuse_namelists(const std::string& text, const std::string& file) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const auto first = line.find_first_not_of(" \t\r");
        if (first == std::string::npos || line[first] == '!') continue;
        if (line[first] == '&')
            base::refuse(file, "", base::shortened(line),
                         fmt::format("a TOML document; `groundswell import seissol {} --output FOLDER` makes "
                                     "a case of SeisSol's parameters",
                                     file));
        return;
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
    refuse_namelists(state_->file_text, file);
    refuse_deep_keys(state_->file_text, file);
    try {
        state_->document = toml::parse(state_->file_text, file);
    } catch (const toml::parse_error& error) {
        base::refuse(fmt::format("{}:{}", file, error.source().begin.line), "",
                     std::string(error.description()), "a TOML document");
    }
    for (const std::string& override : overrides) apply_override(state_->document, override, file);
    refuse_zeros(state_->document, "", file);
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

}  // namespace groundswell::simulation
