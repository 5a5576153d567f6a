#include "groundswell/output/formats/space.hpp"

#include <fmt/format.h>

#include <type_traits>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/measure.hpp"
#include "groundswell/output/disk/disk.hpp"
#include "groundswell/output/formats/backend.hpp"

namespace groundswell::output {

namespace {

constexpr std::int64_t entry_bytes = 64;  // counts, types and offsets around a name; generous

std::int64_t bytes_of(const std::vector<Attribute>& attributes) {
    std::int64_t total = 0;
    for (const Attribute& attribute : attributes) {
        total += entry_bytes + static_cast<std::int64_t>(attribute.name.size());
        total += std::visit(
            [](const auto& values) {
                return static_cast<std::int64_t>(values.size() *
                                                 sizeof(typename std::decay_t<decltype(values)>::value_type));
            },
            attribute.value);
    }
    return total;
}

}  // namespace

std::int64_t required_bytes(const Schema& schema, std::int64_t records, const Storage& storage) {
    // Libraries round the header and the beginning of each variable up to some alignment of at most 512
    // bytes.
    std::int64_t total = 4096 + bytes_of(schema.attributes);
    for (const Dimension& dimension : schema.dimensions)
        total += entry_bytes + static_cast<std::int64_t>(dimension.name.size());
    for (const Variable& variable : schema.variables) {
        total += entry_bytes + 512 +
                 static_cast<std::int64_t>(variable.name.size() + 8 * variable.dimensions.size()) +
                 bytes_of(variable.attributes);
        const std::int64_t values = schema.rows(variable) * schema.row_width(variable);
        const std::int64_t bytes = (values * size_of(variable.type) + 3) / 4 * 4;
        total += schema.is_record(variable) ? bytes * records : bytes;
    }
    if (storage.format == Format::netcdf4) {
        total += hdf5_extra_bytes(schema, records, storage.compression);
        total += total / 50;  // metadata of earlier records, see Hdf5Backend
    }
    return total;
}

void check_space(const std::string& folder, std::int64_t bytes) {
    const std::int64_t free = free_bytes(folder.empty() ? "." : folder);
    base::require(free >= bytes, folder, "free space", base::size_text(free),
                  fmt::format("at least {} for the output of this run", base::size_text(bytes)));
}

}  // namespace groundswell::output
