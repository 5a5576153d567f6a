// Settings of a case, key by key.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "groundswell/simulation/case/case_state.hpp"

namespace groundswell::simulation {

namespace {

// As show() writes it, but that 3 and 3.0 are the same.
std::string setting_text(const toml::node& node) {
    if (const auto whole = node.as_integer()) return fmt::format("{}", static_cast<double>(whole->get()));
    if (const toml::array* array = node.as_array()) {
        std::string text;
        for (const toml::node& entry : *array) text += (text.empty() ? "" : ", ") + setting_text(entry);
        return "[" + text + "]";
    }
    return show(node);
}

struct Collector {
    const std::vector<KeyRecord>& keys;
    std::filesystem::path folder;
    std::vector<Setting> found;

    // `key` with numbers of tables, `plain` with [] in their place.
    void collect(const toml::table& table, const std::string& key, const std::string& plain) {
        for (const auto& [name, node] : table) {
            const std::string inner(name.str());
            collect_node(node, join(key, inner), join(plain, inner));
        }
    }

    void collect_node(const toml::node& node, const std::string& key, const std::string& plain) {
        if (const toml::table* table = node.as_table()) {
            collect(*table, key, plain);
        } else if (node.is_array_of_tables()) {
            for (std::size_t i = 0; i < node.as_array()->size(); ++i)
                collect(*node.as_array()->get_as<toml::table>(i), fmt::format("{}[{}]", key, i),
                        plain + "[]");
        } else {
            const auto record = std::ranges::find(keys, plain, &KeyRecord::key);
            Setting setting{key, setting_text(node), {}};
            if (record != keys.end() && record->default_text == setting.value) return;
            if (record != keys.end() && record->type.starts_with("path")) add_files(node, setting);
            found.push_back(std::move(setting));
        }
    }

    void add_files(const toml::node& node, Setting& setting) const {
        if (const auto* path = node.as_string()) setting.files.push_back((folder / path->get()).string());
        if (const toml::array* array = node.as_array())
            for (const toml::node& entry : *array) add_files(entry, setting);
    }
};

}  // namespace

std::vector<Setting> CaseReader::settings() const {
    Collector collector{state_->keys, std::filesystem::path(state_->file).parent_path(), {}};
    collector.collect(state_->document, "", "");
    return std::move(collector.found);
}

}  // namespace groundswell::simulation
