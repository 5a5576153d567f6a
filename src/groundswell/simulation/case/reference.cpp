#include "groundswell/simulation/case/reference.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace groundswell::simulation {

namespace {

const char* const title_of_first = R"(# The case file

One TOML file describes a whole run. This page is made from the table of the program's own reader
(`groundswell run --reference > docs/reference/case-file.md`), so no key is missing and none is here that the program does not know.
)";

const char* const title_of_another = R"(# The case file of the model "{0}"

One TOML file, whose first key is `model = "{0}"`, describes a whole run. This page is made from the table of the program's
own reader (`groundswell run --reference --set model={0} > docs/reference/case-file-{0}.md`), so no key is missing and none is here
that the program does not know.
)";

const char* const introduction = R"(
- Unknown keys are errors; the message names the nearest known key.
- Paths are relative to the case file. Output goes to `output/` next to it, or to `--output DIR`.
- A duration is a number and a unit: `"90s"`, `"15min"`, `"1h"`, `"2d"`.
- Dates are TOML dates, in UTC: `2024-09-03T00:00:00Z`.
- `--set key=value` replaces any value on the command line: `--set output.mode=serial`,
  `--set output.map.0.every=30min` (tables of a list are counted from 0).
- `groundswell run --explain CASE.toml` lists every parameter with the value it takes in that case.

`[]` in a key stands for a table that may be repeated: `output.map[].file` is the key `file` of each `[[output.map]]`.
)";

// A table row may not be broken by a bar.
std::string cell(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '|') escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::string table_of(const std::string& key) {
    const std::size_t dot = key.rfind('.');
    return dot == std::string::npos ? "" : key.substr(0, dot);
}

std::string heading(const std::string& table) {
    if (table.empty()) return "Top level";
    if (table.ends_with("[]")) return fmt::format("`[[{}]]`", table.substr(0, table.size() - 2));
    return fmt::format("`[{}]`", table);
}

}  // namespace

std::string case_reference(const std::vector<KeyRecord>& keys, const std::string& model) {
    std::string page = model.empty() ? title_of_first : fmt::format(fmt::runtime(title_of_another), model);
    page += introduction;
    std::vector<std::string> tables;
    for (const KeyRecord& key : keys)
        if (std::find(tables.begin(), tables.end(), table_of(key.key)) == tables.end())
            tables.push_back(table_of(key.key));
    for (const std::string& table : tables) {
        page += fmt::format(
            "\n## {}\n\n| key | meaning | unit | default | range or values | source "
            "|\n|---|---|---|---|---|---|\n",
            heading(table));
        for (const KeyRecord& key : keys) {
            if (table_of(key.key) != table) continue;
            const std::string name = table.empty() ? key.key : key.key.substr(table.size() + 1);
            const std::string values =
                key.range.empty() ? key.type : fmt::format("{} {}", key.type, key.range);
            page += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", name, cell(key.meaning),
                                cell(key.unit), key.default_text.empty() ? "none" : cell(key.default_text),
                                cell(values), cell(key.source));
        }
    }
    return page;
}

}  // namespace groundswell::simulation
