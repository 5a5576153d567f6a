#include "groundswell/output/writers/wire.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <variant>

#include "groundswell/base/errors.hpp"

namespace groundswell::output {

void ByteWriter::reserve(std::int64_t bytes) {
    if (const auto count = static_cast<std::size_t>(bytes); bytes_.size() < count) bytes_.resize(count);
}

std::byte* ByteWriter::extend(std::int64_t count) {
    const std::size_t before = used_;
    used_ += static_cast<std::size_t>(count);
    if (bytes_.size() < used_) bytes_.resize(std::max(used_, 2 * bytes_.size()));
    return bytes_.data() + before;
}

void ByteWriter::put_bytes(std::span<const std::byte> bytes) {
    if (!bytes.empty())
        std::memcpy(extend(static_cast<std::int64_t>(bytes.size())), bytes.data(), bytes.size());
}

std::vector<std::byte> ByteWriter::take() {
    bytes_.resize(used_);
    used_ = 0;
    return std::move(bytes_);
}

void ByteWriter::put(const Attribute& attribute) {
    put(attribute.name);
    put(static_cast<std::int32_t>(attribute.value.index()));
    std::visit(
        [this](const auto& values) {
            using Value = typename std::decay_t<decltype(values)>::value_type;
            put_list(std::span<const Value>(values));
        },
        attribute.value);
}

void ByteWriter::put(const Schema& schema) {
    put(static_cast<std::int64_t>(schema.dimensions.size()));
    for (const Dimension& dimension : schema.dimensions) {
        put(dimension.name);
        put(dimension.length);
        put(dimension.unlimited);
    }
    put(static_cast<std::int64_t>(schema.variables.size()));
    for (const Variable& variable : schema.variables) {
        put(variable.name);
        put(variable.type);
        put(variable.distributed);
        put(static_cast<std::int64_t>(variable.dimensions.size()));
        for (const std::string& name : variable.dimensions) put(name);
        put(static_cast<std::int64_t>(variable.attributes.size()));
        for (const Attribute& attribute : variable.attributes) put(attribute);
    }
    put(static_cast<std::int64_t>(schema.attributes.size()));
    for (const Attribute& attribute : schema.attributes) put(attribute);
}

std::span<const std::byte> ByteReader::view(std::int64_t count) {
    GS_ASSERT(count >= 0 && static_cast<std::size_t>(count) <= bytes_.size());
    const auto part = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return part;
}

std::string ByteReader::get_text() {
    const auto characters = get_list<char>();
    return {characters.begin(), characters.end()};
}

Attribute ByteReader::get_attribute() {
    Attribute attribute("", "");
    attribute.name = get_text();
    // The alternative of the variant is known by its number only: it is tried on each.
    const auto index = static_cast<std::size_t>(get<std::int32_t>());
    const auto try_type = [&]<class Value>(Value list) {
        if (decltype(attribute.value)(list).index() != index) return;
        const auto values = get_list<typename Value::value_type>();
        list.assign(values.begin(), values.end());
        attribute.value = std::move(list);
    };
    GS_ASSERT(index < std::variant_size_v<decltype(attribute.value)>);
    try_type(std::string());
    try_type(std::vector<std::int32_t>());
    try_type(std::vector<std::int64_t>());
    try_type(std::vector<float>());
    try_type(std::vector<double>());
    return attribute;
}

Schema ByteReader::get_schema() {
    Schema schema;
    schema.dimensions.resize(get<std::int64_t>());
    for (Dimension& dimension : schema.dimensions) {
        dimension.name = get_text();
        dimension.length = get<std::int64_t>();
        dimension.unlimited = get<bool>();
    }
    schema.variables.resize(get<std::int64_t>());
    for (Variable& variable : schema.variables) {
        variable.name = get_text();
        variable.type = get<Type>();
        variable.distributed = get_text();
        variable.dimensions.resize(get<std::int64_t>());
        for (std::string& name : variable.dimensions) name = get_text();
        for (auto left = get<std::int64_t>(); left > 0; --left)
            variable.attributes.push_back(get_attribute());
    }
    for (auto left = get<std::int64_t>(); left > 0; --left) schema.attributes.push_back(get_attribute());
    return schema;
}

}  // namespace groundswell::output
