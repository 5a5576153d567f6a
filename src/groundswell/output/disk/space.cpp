#include "groundswell/output/disk/space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/disk/disk.hpp"
#include "groundswell/output/formats/hdf5/hdf5_layout.hpp"

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

std::string human(std::int64_t bytes) {
    if (bytes >= std::int64_t{1} << 30)
        return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1 << 30));
    return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
}

/// What netCDF-4 adds: chunks that are not full, and metadata of several records, one beside the other.
std::int64_t hdf5_extra_bytes(const Schema& schema, std::int64_t records, const Storage& storage) {
    std::int64_t padding = 0, chunks = 0;
    for (const Variable& variable : schema.variables) {
        const Hdf5Layout layout = hdf5_layout(schema, variable, storage.compression);
        const std::int64_t values = layout.record_bytes() * (layout.record ? records : 1);
        const std::int64_t count = layout.chunks_of(records);
        padding += std::max<std::int64_t>(0, count * layout.chunk_bytes() - values) + 16 * count;
        chunks += count;
    }
    constexpr std::int64_t object = 8 << 10, chunk = 256, old = std::int64_t{4} << 20;
    const auto objects = static_cast<std::int64_t>(schema.variables.size() + schema.dimensions.size() + 4);
    const std::int64_t metadata = objects * object + chunks * chunk;
    return padding + 3 * metadata + std::min(old, records * metadata);
}

}  // namespace

std::int64_t required_bytes(const Schema& schema, std::int64_t records, const Storage& storage) {
    // Libraries round the header and the beginning of each variable up to some alignment of at most 512
    // bytes.
    std::int64_t total = 4096 + bytes_of(schema.attributes);
    for (const Dimension& dimension : schema.dimensions) {
        total += entry_bytes + static_cast<std::int64_t>(dimension.name.size());
    }
    for (const Variable& variable : schema.variables) {
        total += entry_bytes + 512 +
                 static_cast<std::int64_t>(variable.name.size() + 8 * variable.dimensions.size()) +
                 bytes_of(variable.attributes);
        const std::int64_t values = schema.rows(variable) * schema.row_width(variable);
        const std::int64_t bytes = (values * size_of(variable.type) + 3) / 4 * 4;
        total += schema.is_record(variable) ? bytes * records : bytes;
    }
    if (storage.format == Format::netcdf4) {
        total += hdf5_extra_bytes(schema, records, storage);
        total += total / 50;  // metadata of earlier records, see Hdf5Backend
    }
    return total;
}

void check_space(const std::string& folder, std::int64_t bytes) {
    const std::int64_t free = free_bytes(folder.empty() ? "." : folder);
    base::require(free >= bytes, folder, "free space", human(free),
                  fmt::format("at least {} for the output of this run", human(bytes)));
}

}  // namespace groundswell::output
