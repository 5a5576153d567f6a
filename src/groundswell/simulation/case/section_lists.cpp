#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "groundswell/base/words.hpp"
#include "groundswell/simulation/case/case_state.hpp"
#include "groundswell/simulation/case_file.hpp"

namespace groundswell::simulation {

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

std::pair<std::vector<std::string>, bool> Section::words_or_list(std::string_view key,
                                                                 const std::string& fallback,
                                                                 KeyText text) const {
    const std::string type = "number | text | list of them";
    const toml::node* node = node_->ask(key, type, "", fmt::format("\"{}\"", fallback), text);
    if (node == nullptr) return {{fallback}, false};
    const auto word = [&](const toml::node& entry) {
        if (!entry.is_string() && !entry.is_number()) refuse(key, type);
        return entry.is_string() ? entry.as_string()->get() : show(entry);
    };
    const toml::array* array = node->as_array();
    if (array == nullptr) return {{word(*node)}, false};
    if (array->empty()) refuse(key, type);
    std::vector<std::string> found;
    for (const toml::node& entry : *array) found.push_back(word(entry));
    return {found, true};
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
        if (!value || !is_plausible(*value)) refuse(key, type + ", each within 1e30 of 0");
        found.push_back(*value);
    }
    return found;
}

std::vector<std::vector<double>> Section::rows(std::string_view key, const std::vector<std::string>& columns,
                                               KeyText text) const {
    const std::string type = fmt::format("list of [{}]", fmt::join(columns, ", "));
    const toml::node* node = node_->ask(key, type, "", "", text);
    if (node == nullptr) return {};
    const toml::array* array = node->as_array();
    if (array == nullptr || array->empty()) refuse(key, type);
    std::vector<std::vector<double>> found;
    for (const toml::node& entry : *array) {
        const toml::array* row = entry.as_array();
        if (row == nullptr || row->size() != columns.size()) refuse(key, type);
        auto& values = found.emplace_back();
        for (const toml::node& number : *row) {
            const std::optional<double> value = number.is_number() ? number.value<double>() : std::nullopt;
            if (!value || !is_plausible(*value)) refuse(key, type + ", each within 1e30 of 0");
            values.push_back(*value);
        }
    }
    return found;
}

std::vector<std::pair<double, double>> Section::positions(std::string_view key, KeyText text) const {
    const std::string type = "list of [longitude, latitude] in degrees";
    const toml::node* node = node_->need(*this, key, type, "", std::nullopt, text, type);
    if (node == nullptr) return {};
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
