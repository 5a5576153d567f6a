#include <fmt/format.h>

#include <algorithm>

#include "groundswell/output/formats/file_implementation.hpp"

namespace groundswell::output {

void File::Implementation::check_values(const Values& values, bool record, std::int64_t number) const {
    const Variable& variable = schema.variables[index_of(values.variable)];
    const RowShape shape = schema.row_shape(variable);
    const auto demand = [&](bool holds, std::string_view what) {
        if (!holds) throw base::Defect(fmt::format("{}: values of {}: {}", path, values.variable, what));
    };
    demand(schema.is_record(variable) == record,
           record ? "it is not a record variable" : "it is a record variable");
    demand(values.type == variable.type, "not of the variable's type");
    if (!values.decomposition) {
        demand(rank != 0 || values.count == number * shape.values(), "not as many as the variable holds");
        return;
    }
    const std::int64_t width = shape.row_width;
    const std::int64_t stride = values.row_stride == 0 ? width : values.row_stride;
    const std::int64_t rows = number * shape.segments * values.decomposition->owned();
    demand(values.decomposition->rows() == shape.rows, "decomposition of another length");
    demand(stride >= width, "rows overlap");
    demand(rows == 0 || values.count >= (rows - 1) * stride + width, "fewer than the owned rows");
    demand(values.row_stride != 0 || values.count == rows * width, "not as many as the owned rows hold");
}

void File::Implementation::check_record(std::span<const Values> values, std::int64_t number) const {
    const Dimension* dimension = schema.record_dimension();
    GS_ASSERT(dimension != nullptr);
    for (const Values& each : values) check_values(each, true, number);
    for (const Variable& variable : schema.variables) {
        if (!schema.is_record(variable) || variable.name == dimension->name) continue;
        const auto given = std::count_if(values.begin(), values.end(),
                                         [&](const Values& each) { return each.variable == variable.name; });
        if (given != 1)
            throw base::Defect(
                fmt::format("{}: {} given {} times for a record, expected once", path, variable.name, given));
    }
}

void File::Implementation::write(const Values& values, std::int64_t record, std::int64_t number) {
    const int index = index_of(values.variable);
    const Variable& variable = schema.variables[index];
    const RowShape shape = schema.row_shape(variable);
    const std::int64_t value_bytes = size_of(variable.type);
    bytes_written += shape.values() * value_bytes;
    backend->begin_variable(index, record);
    if (values.decomposition) {
        const RowBytes row{shape.row_width * value_bytes, values.row_stride * value_bytes, shape.segments};
        const std::byte* const data =
            values.data + number * shape.segments * values.decomposition->owned() * row.stride_or_bytes();
        const std::int64_t pieces = rearranger.pieces(*values.decomposition, row);
        for (std::int64_t i = 0; i < pieces; ++i) {
            const auto piece = rearranger.gather(*values.decomposition, data, row, i);
            backend->write({index, record, piece.first_row, piece.rows}, piece.bytes);
        }
    } else {
        // Libraries may swap bytes in place: they get a copy.
        std::vector<std::byte> copy;
        const std::int64_t bytes = shape.values() * value_bytes;
        if (rank == 0) copy.assign(values.data + number * bytes, values.data + (number + 1) * bytes);
        backend->write_from_root({index, record, 0, shape.rows}, copy);
    }
    backend->end_variable(index, record);
}

void File::Implementation::write_rows(std::span<const double> times, std::span<const Values> values) {
    for (std::size_t i = 0; i < times.size(); ++i) {
        const auto number = static_cast<std::int64_t>(i);
        write(replicated<double>(schema.record_dimension()->name, times.subspan(i, 1)), records + number);
        for (const Values& each : values) write(each, records + number, number);
    }
}

void File::Implementation::write_whole(std::span<const double> times, std::span<const Values> values) {
    constexpr std::int64_t piece_bytes = std::int64_t{8} << 20, worth_a_write = std::int64_t{1} << 20;
    const auto count = static_cast<std::int64_t>(times.size());
    const std::int64_t bytes = schema.record_bytes();
    const std::int64_t piece = std::max<std::int64_t>(1, backend->writers() * piece_bytes / bytes);
    for (std::int64_t first = 0; first < count; first += piece) {
        RecordSplit split{std::min(piece, count - first), 1, ranks};
        const std::int64_t writers = std::min({split.records, split.records * bytes / worth_a_write + 1,
                                               static_cast<std::int64_t>(backend->writers())});
        split.writers = static_cast<int>(writers);
        const std::int64_t mine = split.of_rank(rank).rows();
        whole_buffer.assign(backend->bytes_of_records(mine), std::byte{});
        whole.gather(schema, {times, values, first, split}, backend->places_among(mine), whole_buffer);
        backend->write_records(records + first, split, whole_buffer, times.subspan(first, split.records));
    }
    bytes_written += count * bytes;
}

}  // namespace groundswell::output
