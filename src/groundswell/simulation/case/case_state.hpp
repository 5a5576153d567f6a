// State shared by a reader of case files and its sections. Used by case_file.cpp, section.cpp and section_lists.cpp alone.
#pragma once

#include <toml++/toml.h>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/simulation/case_file.hpp"

namespace groundswell::simulation {

struct CaseReader::State {
    std::string file;
    std::string file_text;
    std::vector<std::string> overrides;
    toml::table document;
    bool describing = false;
    std::vector<KeyRecord> keys;
    std::vector<std::string> tables;  // dotted names of the sections asked for, "" for the root

    /// A key asked for; of an array of tables, one value for each.
    void remember(KeyRecord record);
};

struct Section::Node {
    CaseReader::State* state;
    const toml::table* table;  // null when absent or describing
    std::string name;          // dotted, "output.map[]"

    /// Records the key and returns what stands in the case; null when nothing does.
    const toml::node* ask(std::string_view key, const std::string& type, const std::string& range,
                          const std::string& fallback, const KeyText& text) const;
    /// The same of a key that must be given where it has no default, and a case is read: refused by its section.
    const toml::node* need(const Section& section, std::string_view key, const std::string& type,
                           const std::string& range, const std::optional<std::string>& fallback,
                           const KeyText& text, std::string_view expected) const;
};

/// Default shown for a key that has none.
inline const std::string required_text = "required";
/// Whether a number may stand in a case at all: the squares of larger ones are of no use, and none stands for a quantity.
inline constexpr double largest = 1e30;
inline bool is_plausible(double value) {
    return std::abs(value) <= largest;
}

/// "section.key"; one of them alone where the other is empty.
std::string join(std::string_view section, std::string_view key);

/// The value as people write it in TOML.
std::string show(const toml::node& node);

/// File name shown as the place of a value from the command line.
inline constexpr std::string_view command_line = "--set";

/// "FILE:LINE" of a value; null, and what has no place: the file.
std::string where(const std::string& file, const toml::node* node);

}  // namespace groundswell::simulation
