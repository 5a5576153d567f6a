#include "groundswell/netcdf/reader.hpp"

#include <fmt/format.h>
#include <netcdf.h>

#include <algorithm>
#include <type_traits>

#include "groundswell/base/errors.hpp"
#include "groundswell/netcdf/library_call.hpp"
#include "groundswell/netcdf/lock.hpp"

namespace groundswell::netcdf {

namespace {

Held held_as(nc_type type) {
    switch (type) {
        case NC_CHAR:
            return Held::text;
        case NC_BYTE:
        case NC_UBYTE:
        case NC_SHORT:
        case NC_USHORT:
        case NC_INT:
            return Held::int32;
        case NC_UINT:
        case NC_INT64:
        case NC_UINT64:
            return Held::int64;
        case NC_FLOAT:
            return Held::float32;
        case NC_DOUBLE:
            return Held::float64;
        default:
            return Held::other;
    }
}

/// The calls of the library for a type.
template <class T>
struct Get;
template <>
struct Get<char> {
    static constexpr auto values = nc_get_vara_text;
    static constexpr auto attribute = nc_get_att_text;
    using Library = char;
};
template <>
struct Get<std::int32_t> {
    static constexpr auto values = nc_get_vara_int;
    static constexpr auto attribute = nc_get_att_int;
    using Library = int;
};
template <>
struct Get<std::int64_t> {
    static constexpr auto values = nc_get_vara_longlong;
    static constexpr auto attribute = nc_get_att_longlong;
    using Library = long long;
    static_assert(sizeof(long long) == sizeof(std::int64_t));
};
template <>
struct Get<float> {
    static constexpr auto values = nc_get_vara_float;
    static constexpr auto attribute = nc_get_att_float;
    using Library = float;
};
template <>
struct Get<double> {
    static constexpr auto values = nc_get_vara_double;
    static constexpr auto attribute = nc_get_att_double;
    using Library = double;
};

template <class Named>
const Named* find_in(const std::vector<Named>& list, std::string_view name) {
    const auto found = std::ranges::find(list, name, &Named::name);
    return found == list.end() ? nullptr : &*found;
}

}  // namespace

/// The one place where the library is called to read.
int Reader::call(const std::function<int()>& function, std::int64_t bytes) const {
    const auto lock = own_library();
    return limited_call(path_, function, bytes);
}

void Reader::check(int status, std::string_view what) const {
    if (status == NC_NOERR) return;
    const std::string expected = fmt::format("a {} that can be read ({})", kind_, nc_strerror(status));
    base::refuse(path_, what, "", expected);
}

Reader::Reader(const std::string& path, std::string kind)
    : path_(path), kind_(std::move(kind)), extent_(path) {
    check(call([&] { return nc_open(path_.c_str(), NC_NOWRITE, &id_); }), "");
    try {
        read_header();
    } catch (...) {
        close();
        throw;
    }
}

Reader::~Reader() {
    close();
}

void Reader::close() const {
    const auto lock = own_library();
    if (!library_is_lost()) nc_close(id_);
}

void Reader::read_header() {
    int dimensions = 0, variables = 0, unlimited_count = 0;
    check(call([&] { return nc_inq(id_, &dimensions, &variables, &attributes_, nullptr); }), "");
    check(call([&] { return nc_inq_unlimdims(id_, &unlimited_count, nullptr); }), "");
    std::vector<int> unlimited(unlimited_count);
    check(call([&] { return nc_inq_unlimdims(id_, &unlimited_count, unlimited.data()); }), "");
    char name[NC_MAX_NAME + 1] = {};
    std::vector<int> ids(dimensions);
    check(call([&] { return nc_inq_dimids(id_, &dimensions, ids.data(), 0); }), "");
    for (const int id : ids) {
        Dimension dimension;
        check(call([&] { return nc_inq_dim(id_, id, name, &dimension.length); }), "");
        dimension.name = name;
        dimension.unlimited = std::ranges::count(unlimited, id) > 0;
        dimensions_.push_back(dimension);
    }
    for (int id = 0; id < variables; ++id) {
        Variable variable;
        variable.id = id;
        int rank = 0, of[NC_MAX_VAR_DIMS];
        nc_type type = NC_NAT;
        check(call([&] { return nc_inq_var(id_, id, name, &type, &rank, of, &variable.attributes); }), "");
        variable.name = name;
        variable.held = held_as(type);
        for (int i = 0; i < rank; ++i) {
            const auto known = std::ranges::find(ids, of[i]);
            base::require(known != ids.end(), path_, variable.name, "", "dimensions of the file");
            variable.dimensions.push_back(dimensions_[known - ids.begin()]);
        }
        variables_.push_back(std::move(variable));
    }
}

const Reader::Dimension* Reader::find_dimension(std::string_view name) const {
    return find_in(dimensions_, name);
}

const Reader::Variable* Reader::find(std::string_view name) const {
    return find_in(variables_, name);
}

Reader::Attribute Reader::attribute_of(int variable, const char* name) const {
    const auto what = fmt::format("attribute {}", name);
    nc_type type = NC_NAT;
    std::size_t length = 0;
    check(call([&] { return nc_inq_att(id_, variable, name, &type, &length); }), what);
    Attribute result;
    if (type == NC_STRING && length == 1) {
        char* text = nullptr;
        check(call([&] { return nc_get_att_string(id_, variable, name, &text); }), what);
        result = {name, std::string(text != nullptr ? text : "")};
        call([&] { return nc_free_string(1, &text); });
        return result;
    }
    const auto get = [&]<class List>(List values) {
        using Value = typename List::value_type;
        values.resize(length);
        auto* const to = reinterpret_cast<typename Get<Value>::Library*>(values.data());
        check(call([&] { return Get<Value>::attribute(id_, variable, name, to); }), what);
        result = {name, std::move(values)};
    };
    switch (held_as(type)) {
        case Held::text:
            get(std::string());
            break;
        case Held::int32:
            get(std::vector<std::int32_t>());
            break;
        case Held::int64:
            get(std::vector<std::int64_t>());
            break;
        case Held::float32:
            get(std::vector<float>());
            break;
        case Held::float64:
            get(std::vector<double>());
            break;
        case Held::other:
            break;  // without a name: none
    }
    return result;
}

std::vector<Reader::Attribute> Reader::attributes_of(int variable, int count) const {
    std::vector<Attribute> all;
    for (int i = 0; i < count; ++i) {
        char name[NC_MAX_NAME + 1] = {};
        check(call([&] { return nc_inq_attname(id_, variable, i, name); }), "");
        Attribute attribute = attribute_of(variable, name);
        if (!attribute.name.empty()) all.push_back(std::move(attribute));
    }
    return all;
}

std::vector<Reader::Attribute> Reader::attributes(const Variable& variable) const {
    return attributes_of(variable.id, variable.attributes);
}

std::vector<Reader::Attribute> Reader::attributes() const {
    return attributes_of(NC_GLOBAL, attributes_);
}

std::string Reader::text_of(int variable, const char* name) const {
    if (call([&] { return nc_inq_attid(id_, variable, name, nullptr); }) != NC_NOERR) return {};
    const Attribute attribute = attribute_of(variable, name);
    const auto* text = std::get_if<std::string>(&attribute.value);
    std::string value = text == nullptr ? std::string() : *text;
    while (!value.empty() && (value.back() == '\0' || value.back() == ' ')) value.pop_back();
    return value;
}

std::vector<double> Reader::numbers_of(int variable, const char* name) const {
    if (call([&] { return nc_inq_attid(id_, variable, name, nullptr); }) != NC_NOERR) return {};
    return std::visit(
        [](const auto& values) -> std::vector<double> {
            if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::string>) return {};
            return {values.begin(), values.end()};
        },
        attribute_of(variable, name).value);
}

std::string Reader::text(const Variable& variable, const char* attribute) const {
    return text_of(variable.id, attribute);
}

std::string Reader::text(const char* global_attribute) const {
    return text_of(NC_GLOBAL, global_attribute);
}

std::optional<double> Reader::number(const Variable& variable, const char* attribute) const {
    const std::vector<double> values = numbers_of(variable.id, attribute);
    return values.empty() ? std::nullopt : std::optional(values.front());
}

std::optional<double> Reader::number(const char* global_attribute) const {
    const std::vector<double> values = numbers_of(NC_GLOBAL, global_attribute);
    return values.size() == 1 ? std::optional(values.front()) : std::nullopt;
}

std::size_t Reader::chunk_length(const Variable& variable, std::size_t dimension) const {
    int storage = NC_CONTIGUOUS;
    std::vector<std::size_t> lengths(variable.dimensions.size(), 1);
    // Formats without pieces may refuse the question.
    const auto inquire = [&] { return nc_inq_var_chunking(id_, variable.id, &storage, lengths.data()); };
    if (call(inquire) != NC_NOERR || storage != NC_CHUNKED) return 1;
    return std::max<std::size_t>(1, lengths[dimension]);
}

void Reader::require_whole(const Variable& variable) const {
    extent_.require(variable.name);
}

std::vector<double> Reader::read_axis(const Variable& variable) const {
    base::require(variable.dimensions.size() == 1, path_, variable.name,
                  std::to_string(variable.dimensions.size()) + " dimensions", "an axis with one dimension");
    require_whole(variable);  // before memory is asked for as many values as a header may claim
    std::vector<double> values(variable.dimensions[0].length);
    read(variable, {0}, {values.size()}, values.data());
    return values;
}

template <class T>
void Reader::read(const Variable& variable, const std::vector<std::size_t>& first,
                  const std::vector<std::size_t>& count, T* values) const {
    GS_ASSERT(first.size() == variable.dimensions.size() && count.size() == first.size());
    std::size_t bytes = sizeof(T);
    for (const std::size_t each : count) bytes *= each;
    if (bytes == 0) return;
    const bool records = !variable.dimensions.empty() && variable.dimensions[0].unlimited;
    if (records) extent_.require(variable.name, static_cast<std::int64_t>(first[0] + count[0]));
    if (!records) extent_.require(variable.name);
    auto* const to = reinterpret_cast<typename Get<T>::Library*>(values);
    const auto get = [&] { return Get<T>::values(id_, variable.id, first.data(), count.data(), to); };
    check(call(get, static_cast<std::int64_t>(bytes)), variable.name);
}

using Corner = std::vector<std::size_t>;
template void Reader::read(const Variable&, const Corner&, const Corner&, char*) const;
template void Reader::read(const Variable&, const Corner&, const Corner&, std::int32_t*) const;
template void Reader::read(const Variable&, const Corner&, const Corner&, std::int64_t*) const;
template void Reader::read(const Variable&, const Corner&, const Corner&, float*) const;
template void Reader::read(const Variable&, const Corner&, const Corner&, double*) const;

}  // namespace groundswell::netcdf
