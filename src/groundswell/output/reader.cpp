#include "groundswell/output/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <type_traits>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/plain_file.hpp"
#include "groundswell/netcdf/classic_header.hpp"
#include "groundswell/netcdf/library_call.hpp"
#include "groundswell/netcdf/lock.hpp"
#include "groundswell/output/formats/backend.hpp"
#include "groundswell/output/formats/netcdf_calls.hpp"

namespace groundswell::output {

namespace {

void check(int status, const std::string& what) {
    check_netcdf<base::Refusal>(status, what);
}

/// The type in which values of a netCDF type are held here; empty for strings and user-defined types.
std::optional<Type> held_as(nc_type type) {
    switch (type) {
        case NC_CHAR:
            return Type::character;
        case NC_BYTE:
        case NC_UBYTE:
        case NC_SHORT:
        case NC_USHORT:
        case NC_INT:
            return Type::int32;
        case NC_UINT:
        case NC_INT64:
        case NC_UINT64:
            return Type::int64;
        case NC_FLOAT:
            return Type::float32;
        case NC_DOUBLE:
            return Type::float64;
        default:
            return std::nullopt;
    }
}

int get_values(int file, int id, const std::size_t* start, const std::size_t* count, char* values) {
    return nc_get_vara_text(file, id, start, count, values);
}
int get_values(int file, int id, const std::size_t* start, const std::size_t* count, std::int32_t* values) {
    return nc_get_vara_int(file, id, start, count, values);
}
int get_values(int file, int id, const std::size_t* start, const std::size_t* count, std::int64_t* values) {
    static_assert(sizeof(long long) == sizeof(std::int64_t));
    return nc_get_vara_longlong(file, id, start, count, reinterpret_cast<long long*>(values));
}
int get_values(int file, int id, const std::size_t* start, const std::size_t* count, float* values) {
    return nc_get_vara_float(file, id, start, count, values);
}
int get_values(int file, int id, const std::size_t* start, const std::size_t* count, double* values) {
    return nc_get_vara_double(file, id, start, count, values);
}

int get_attribute(int file, int id, const char* name, std::int32_t* values) {
    return nc_get_att_int(file, id, name, values);
}
int get_attribute(int file, int id, const char* name, std::int64_t* values) {
    return nc_get_att_longlong(file, id, name, reinterpret_cast<long long*>(values));
}
int get_attribute(int file, int id, const char* name, float* values) {
    return nc_get_att_float(file, id, name, values);
}
int get_attribute(int file, int id, const char* name, double* values) {
    return nc_get_att_double(file, id, name, values);
}

}  // namespace

struct Reader::Implementation {
    explicit Implementation(const std::string& path_) : path(path_) {
        base::require_plain_file(path);
        // The library believes a damaged header: it divides by zero, and asks for gigabytes.
        if (netcdf::is_classic(path)) netcdf::read_classic_header(path);
        const auto lock = netcdf::own_library();
        check(limited([&] { return nc_open(path.c_str(), NC_NOWRITE, &id); }),
              path + ": expected a netCDF file");
        try {
            read_schema();
        } catch (...) {
            close();
            throw;
        }
    }
    ~Implementation() {
        const auto lock = netcdf::own_library();
        close();
    }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;

    std::string path;
    int id = -1;
    Schema schema;
    std::vector<int> variable_ids;  // in the order of schema.variables
    std::int64_t records = 0;

    struct Place {
        const Variable* variable;
        int id;
        bool record;
    };
    Place find(std::string_view name) const {
        const Variable* found = schema.find(name);
        base::require(found != nullptr, path, "variable", name, "a variable of the file");
        return {found, variable_ids[static_cast<std::size_t>(found - schema.variables.data())],
                schema.is_record(*found)};
    }

    /// A call of the library, on a file that may be damaged.
    template <class Call>
    int limited(Call&& call, std::int64_t bytes = 0) const {
        return netcdf::limited_call(path, std::forward<Call>(call), bytes);
    }

private:
    void close() const {
        if (!netcdf::library_is_lost()) nc_close(id);
    }

    /// Attributes of a variable or of the file; those of types that we do not hold are left out.
    std::vector<Attribute> read_attributes(int variable, int count) {
        std::vector<Attribute> attributes;
        for (int i = 0; i < count; ++i) {
            char name[NC_MAX_NAME + 1] = {};
            check(limited([&] { return nc_inq_attname(id, variable, i, name); }), path);
            nc_type type = NC_NAT;
            std::size_t length = 0;
            const std::string what = path + ": attribute " + name;
            check(limited([&] { return nc_inq_att(id, variable, name, &type, &length); }), what);
            if (type == NC_STRING && length == 1) {
                char* text = nullptr;
                check(limited([&] { return nc_get_att_string(id, variable, name, &text); }), what);
                attributes.emplace_back(name, std::string(text ? text : ""));
                nc_free_string(1, &text);
                continue;
            }
            const auto held = held_as(type);
            if (!held) continue;
            const auto numbers = [&](auto zero) {
                std::vector<decltype(zero)> values(length);
                check(limited([&] { return get_attribute(id, variable, name, values.data()); }), what);
                attributes.emplace_back(name, std::move(values));
            };
            if (*held == Type::character) {
                std::string text(length, '\0');
                check(limited([&] { return nc_get_att_text(id, variable, name, text.data()); }), what);
                attributes.emplace_back(name, std::move(text));
            } else if (*held == Type::int32) {
                numbers(std::int32_t{});
            } else if (*held == Type::int64) {
                numbers(std::int64_t{});
            } else if (*held == Type::float32) {
                numbers(float{});
            } else {
                numbers(double{});
            }
        }
        return attributes;
    }

    void read_schema() {
        int dimensions = 0, variables = 0, attributes = 0, unlimited = -1;
        check(limited([&] { return nc_inq(id, &dimensions, &variables, &attributes, &unlimited); }), path);
        char name[NC_MAX_NAME + 1] = {};
        for (int i = 0; i < dimensions; ++i) {
            std::size_t length = 0;
            check(limited([&] { return nc_inq_dim(id, i, name, &length); }), path);
            schema.dimensions.push_back({name, static_cast<std::int64_t>(length), i == unlimited});
            if (i == unlimited) {
                records = static_cast<std::int64_t>(length);
                schema.dimensions.back().length = 0;
            }
        }
        for (int i = 0; i < variables; ++i) {
            nc_type type = NC_NAT;
            int rank = 0, count = 0;
            int ids[NC_MAX_VAR_DIMS];
            check(limited([&] { return nc_inq_var(id, i, name, &type, &rank, ids, &count); }), path);
            const auto held = held_as(type);
            if (!held) continue;
            Variable variable{name, *held, {}, read_attributes(i, count)};
            for (int d = 0; d < rank; ++d) {
                variable.dimensions.push_back(schema.dimensions[static_cast<std::size_t>(ids[d])].name);
            }
            schema.variables.push_back(std::move(variable));
            variable_ids.push_back(i);
        }
        schema.attributes = read_attributes(NC_GLOBAL, attributes);
    }
};

Reader::Reader(const std::string& path) : implementation_(std::make_unique<Implementation>(path)) {}
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;
Reader::~Reader() = default;

const std::string& Reader::path() const {
    return implementation_->path;
}
const Schema& Reader::schema() const {
    return implementation_->schema;
}
std::int64_t Reader::records() const {
    return implementation_->records;
}

namespace {

const Attribute& global_attribute(const Schema& schema, const std::string& path, std::string_view name) {
    const auto at = std::find_if(schema.attributes.begin(), schema.attributes.end(),
                                 [&](const Attribute& each) { return each.name == name; });
    base::require(at != schema.attributes.end(), path, "attribute", name, "a global attribute of the file");
    return *at;
}

}  // namespace

std::string Reader::text_attribute(std::string_view name) const {
    const Attribute& attribute = global_attribute(schema(), path(), name);
    const auto* text = std::get_if<std::string>(&attribute.value);
    base::require(text != nullptr, path(), name, attribute.text(), "text");
    return *text;
}

std::int64_t Reader::whole_attribute(std::string_view name) const {
    const Attribute& attribute = global_attribute(schema(), path(), name);
    return std::visit(
        [&](const auto& values) -> std::int64_t {
            if constexpr (std::is_integral_v<typename std::decay_t<decltype(values)>::value_type> &&
                          !std::is_same_v<std::decay_t<decltype(values)>, std::string>)
                if (!values.empty()) return values.front();
            base::refuse(path(), name, attribute.text(), "a whole number");
        },
        attribute.value);
}

double Reader::number_attribute(std::string_view name) const {
    const Attribute& attribute = global_attribute(schema(), path(), name);
    return std::visit(
        [&](const auto& values) -> double {
            if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::string>) {
                base::refuse(path(), name, attribute.text(), "a number");
            } else {
                base::require(!values.empty(), path(), name, "", "a number");
                return static_cast<double>(values.front());
            }
        },
        attribute.value);
}

template <class T>
void Reader::read(std::string_view variable, std::int64_t record, std::int64_t first, std::int64_t count,
                  std::span<T> values) const {
    const auto place = implementation_->find(variable);
    const Schema& known = schema();
    const std::int64_t rows = known.rows(*place.variable);
    GS_ASSERT(static_cast<std::int64_t>(values.size()) == count * known.row_width(*place.variable));
    base::require(first >= 0 && count >= 0 && first + count <= rows, path(), variable,
                  fmt::format("rows {} to {}", first, first + count - 1),
                  fmt::format("rows 0 to {}", rows - 1));
    base::require((place.variable->type == Type::character) == std::is_same_v<T, char>, path(), variable,
                  name_of(place.variable->type), std::is_same_v<T, char> ? "text" : "numbers");
    if (count == 0) return;
    std::vector<std::size_t> start, edge;
    if (place.record) {
        base::require(record >= 0 && record < records(), path(), variable, fmt::format("record {}", record),
                      fmt::format("one of the file's {} records", records()));
        start.push_back(static_cast<std::size_t>(record));
        edge.push_back(1);
    }
    for (const std::int64_t length : known.shape(*place.variable)) {
        start.push_back(0);
        edge.push_back(static_cast<std::size_t>(length));
    }
    if (const std::size_t row = place.record ? 1 : 0; row < start.size()) {
        start[row] = static_cast<std::size_t>(first);
        edge[row] = static_cast<std::size_t>(count);
    }
    const auto lock = netcdf::own_library();
    const auto get = [&] {
        return get_values(implementation_->id, place.id, start.data(), edge.data(), values.data());
    };
    check(implementation_->limited(get, static_cast<std::int64_t>(values.size_bytes())),
          fmt::format("{}: reading {}", path(), variable));
}

template <class T>
std::vector<T> Reader::read_all(std::string_view variable, std::int64_t record) const {
    const Variable& found = *implementation_->find(variable).variable;
    const std::int64_t rows = schema().rows(found);
    std::vector<T> values(static_cast<std::size_t>(rows * schema().row_width(found)));
    read<T>(variable, record, 0, rows, values);
    return values;
}

#define GROUNDSWELL_INSTANTIATE(T)                                                                          \
    template void Reader::read<T>(std::string_view, std::int64_t, std::int64_t, std::int64_t, std::span<T>) \
        const;                                                                                              \
    template std::vector<T> Reader::read_all<T>(std::string_view, std::int64_t) const;
GROUNDSWELL_INSTANTIATE(char)
GROUNDSWELL_INSTANTIATE(std::int32_t)
GROUNDSWELL_INSTANTIATE(std::int64_t)
GROUNDSWELL_INSTANTIATE(float)
GROUNDSWELL_INSTANTIATE(double)
#undef GROUNDSWELL_INSTANTIATE

}  // namespace groundswell::output
