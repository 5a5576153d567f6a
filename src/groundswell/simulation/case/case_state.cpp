#include "groundswell/simulation/case/case_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace groundswell::simulation {

void CaseReader::State::remember(KeyRecord record) {
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

std::string join(std::string_view section, std::string_view key) {
    if (key.empty()) return std::string(section);
    return section.empty() ? std::string(key) : fmt::format("{}.{}", section, key);
}

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

std::string where(const std::string& file, const toml::node* node) {
    if (node == nullptr || node->source().begin.line == 0) return file;
    if (node->source().path && *node->source().path == command_line)
        return fmt::format("{} ({})", file, command_line);
    return fmt::format("{}:{}", file, node->source().begin.line);
}

const toml::node* Section::Node::ask(std::string_view key, const std::string& type, const std::string& range,
                                     const std::string& stated, const KeyText& text) const {
    const std::string fallback =
        stated == required_text && !text.otherwise.empty() ? std::string(text.otherwise) : stated;
    const toml::node* node = table != nullptr ? table->get(key) : nullptr;
    const std::string value = state->describing ? "" : node != nullptr ? show(*node) : fallback;
    state->remember({join(name, key), type, std::string(text.unit), range, fallback,
                     std::string(text.meaning), std::string(text.source), value, node != nullptr});
    return node;
}

const toml::node* Section::Node::need(const Section& section, std::string_view key, const std::string& type,
                                      const std::string& range, const std::optional<std::string>& fallback,
                                      const KeyText& text, std::string_view expected) const {
    const toml::node* node = ask(key, type, range, fallback.value_or(required_text), text);
    if (node == nullptr && !fallback && !state->describing) section.refuse(key, expected);
    return node;
}

}  // namespace groundswell::simulation
