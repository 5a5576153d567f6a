#include <fmt/format.h>
#include <netcdf.h>

#include <cstdlib>
#include <type_traits>

#include "groundswell/netcdf/library_types.hpp"
#include "groundswell/netcdf/reader.hpp"

/// Attributes as the reader reports them.
namespace groundswell::netcdf {

Reader::Attribute Reader::attribute_of(int group, int variable, const char* name) const {
    const auto what = fmt::format("attribute {}", name);
    nc_type type = NC_NAT;
    std::size_t length = 0;
    check(call([&] { return nc_inq_att(group, variable, name, &type, &length); }), what);
    Attribute result;
    if (type == NC_STRING && length == 1) {
        char* text = nullptr;
        check(call([&] { return nc_get_att_string(group, variable, name, &text); }), what);
        result = {name, std::string(text != nullptr ? text : "")};
        call([&] { return nc_free_string(1, &text); });
        return result;
    }
    const auto get = [&]<class List>(List values) {
        using Value = typename List::value_type;
        values.resize(length);
        auto* const to = reinterpret_cast<typename Get<Value>::Library*>(values.data());
        check(call([&] { return Get<Value>::attribute(group, variable, name, to); }), what);
        result = {name, std::move(values)};
    };
    const Held held = library_type(type).held;
    if (held == Held::text) get(std::string());
    if (held == Held::int32) get(std::vector<std::int32_t>());
    if (held == Held::int64) get(std::vector<std::int64_t>());
    if (held == Held::float32) get(std::vector<float>());
    if (held == Held::float64) get(std::vector<double>());
    return result;  // without a name: none
}

std::vector<Reader::Attribute> Reader::attributes_of(int group, int variable, int count) const {
    std::vector<Attribute> all;
    for (int i = 0; i < count; ++i) {
        char name[NC_MAX_NAME + 1] = {};
        check(call([&] { return nc_inq_attname(group, variable, i, name); }), "");
        Attribute attribute = attribute_of(group, variable, name);
        if (!attribute.name.empty()) all.push_back(std::move(attribute));
    }
    return all;
}

std::vector<Reader::Attribute> Reader::attributes(const Variable& variable) const {
    return attributes_of(variable.group, variable.id, variable.attributes);
}

std::vector<Reader::Attribute> Reader::attributes() const {
    return attributes_of(id_, NC_GLOBAL, attributes_);
}

std::string Reader::text_of(int group, int variable, const char* name) const {
    if (call([&] { return nc_inq_attid(group, variable, name, nullptr); }) != NC_NOERR) return {};
    const Attribute attribute = attribute_of(group, variable, name);
    const auto* text = std::get_if<std::string>(&attribute.value);
    std::string value = text == nullptr ? std::string() : *text;
    while (!value.empty() && (value.back() == '\0' || value.back() == ' ')) value.pop_back();
    return value;
}

std::vector<double> Reader::numbers_of(int group, int variable, const char* name) const {
    if (call([&] { return nc_inq_attid(group, variable, name, nullptr); }) != NC_NOERR) return {};
    return std::visit(
        [](const auto& values) -> std::vector<double> {
            if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::string>) return {};
            return {values.begin(), values.end()};
        },
        attribute_of(group, variable, name).value);
}

std::string Reader::text(const Variable& variable, const char* attribute) const {
    return text_of(variable.group, variable.id, attribute);
}

std::string Reader::text(const char* global_attribute) const {
    return text_of(id_, NC_GLOBAL, global_attribute);
}

std::optional<double> Reader::number(const Variable& variable, const char* attribute) const {
    const std::vector<double> values = numbers_of(variable.group, variable.id, attribute);
    return values.empty() ? std::nullopt : std::optional(values.front());
}

std::vector<double> Reader::numbers(const Variable& variable, const char* attribute) const {
    std::vector<double> values = numbers_of(variable.group, variable.id, attribute);
    const std::string spelled = values.empty() ? text(variable, attribute) : "";
    if (spelled.empty()) return values;
    char* end = nullptr;
    const double value = std::strtod(spelled.c_str(), &end);
    if (end == spelled.c_str() + spelled.size()) values.push_back(value);
    return values;
}

std::optional<double> Reader::number(const char* global_attribute) const {
    const std::vector<double> values = numbers_of(id_, NC_GLOBAL, global_attribute);
    return values.size() == 1 ? std::optional(values.front()) : std::nullopt;
}

bool Reader::has(const Variable& variable, const char* attribute) const {
    return call([&] { return nc_inq_attid(variable.group, variable.id, attribute, nullptr); }) == NC_NOERR;
}

bool Reader::is_fractional(const Variable& variable, const char* attribute) const {
    nc_type type = NC_NAT;
    return call([&] { return nc_inq_atttype(variable.group, variable.id, attribute, &type); }) == NC_NOERR &&
           (type == NC_FLOAT || type == NC_DOUBLE);
}

}  // namespace groundswell::netcdf
