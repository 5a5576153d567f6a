#include "groundswell/output/distributed_read.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/checksum.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::output {

namespace {

/// Whether the file has a checksum of these values. It is that of values as they are stored, of rows that
/// count as they are read.
template <class T>
bool has_checksum(const Schema& schema, const Variable& variable, const RowShape& shape) {
    const Variable* sums = schema.find(checksum_name(variable.name));
    return sums != nullptr && variable.type == type_of<T>() && checked_rows(schema, variable, *sums) == shape;
}

/// Collective. Refuses values whose checksum, of which each rank has a share, is not the stored one.
void check_sum(MPI_Comm comm, const Reader& file, std::string_view name, std::int64_t record,
               std::uint64_t share) {
    std::uint64_t sum = 0;
    parallel::check(MPI_Allreduce(&share, &sum, 1, MPI_UINT64_T, MPI_SUM, comm), "add up a checksum");
    parallel::agree(comm, [&] {
        const std::string stored = checksum_name(name);
        const auto wanted = static_cast<std::uint64_t>(file.read_all<std::int64_t>(stored, record).front());
        base::require(sum == wanted, file.path(), name, "other values than were written",
                      fmt::format("those of {}: see groundswell verify", stored));
    });
}

}  // namespace

template <class T>
parallel::ReadCost read_distributed(const Reader& file, std::string_view name, const Decomposition& rows,
                                    Rearranger& rearranger, std::span<T> values, std::int64_t stride,
                                    std::int64_t record, std::string_view dimension) {
    const Schema& schema = file.schema();
    const RowShape shape = parallel::agree(rows.comm(), [&] {
        const Variable* variable = schema.find(name);
        base::require(variable != nullptr, file.path(), "variable", name, "a variable of the file");
        const auto names = schema.shape_names(*variable);
        base::require(dimension.empty() || std::ranges::count(names, dimension) > 0, file.path(), name,
                      fmt::format("({})", fmt::join(names, ", ")), fmt::format("rows along {}", dimension));
        const RowShape found = schema.row_shape(*variable, dimension);
        base::require(found.rows == rows.rows() && found.row_width <= stride, file.path(), name,
                      fmt::format("{} rows of {} values", found.rows, found.row_width),
                      fmt::format("{} rows of {} values at most", rows.rows(), stride));
        const std::int64_t owned = found.segments * rows.owned();
        GS_ASSERT(owned == 0 ||
                  static_cast<std::int64_t>(values.size()) >= (owned - 1) * stride + found.row_width);
        return found;
    });
    constexpr auto value_bytes = static_cast<std::int64_t>(sizeof(T));
    const RowBytes row{shape.row_width * value_bytes, stride * value_bytes, shape.segments};
    std::vector<T> piece;
    parallel::ReadCost cost;
    const bool checked = has_checksum<T>(schema, *schema.find(name), shape);
    std::uint64_t sum = 0;
    const std::int64_t messages_before = rearranger.messages_sent(), bytes_before = rearranger.bytes_sent();
    const std::int64_t pieces = rearranger.pieces(rows, row);
    for (std::int64_t number = 0; number < pieces; ++number) {
        const Block mine = rearranger.rows_of_piece(rows, row, number);
        const std::int64_t in_segment = mine.rows() * shape.row_width;
        parallel::agree(rows.comm(), [&] {
            piece.resize(shape.segments * in_segment);
            file.read_rows<T>(name, dimension, record, mine.begin, mine.rows(), piece);
        });
        const auto bytes = std::as_bytes(std::span(piece));
        for (std::int64_t segment = 0; checked && segment < shape.segments; ++segment)
            sum += rows_checksum(shape.number(segment, mine.begin),
                                 bytes.subspan(segment * in_segment * value_bytes, in_segment * value_bytes),
                                 row.bytes);
        rearranger.scatter(rows, bytes, reinterpret_cast<std::byte*>(values.data()), row, number);
        cost.bytes_read += mine.rows() * row.all();
    }
    if (checked) check_sum(rows.comm(), file, name, record, sum);
    cost.messages = rearranger.messages_sent() - messages_before;
    cost.bytes_sent = rearranger.bytes_sent() - bytes_before;
    return cost;
}

#define GROUNDSWELL_INSTANTIATE(T)                                                                         \
    template parallel::ReadCost read_distributed<T>(const Reader&, std::string_view, const Decomposition&, \
                                                    Rearranger&, std::span<T>, std::int64_t, std::int64_t, \
                                                    std::string_view);
GROUNDSWELL_INSTANTIATE(std::int32_t)
GROUNDSWELL_INSTANTIATE(std::int64_t)
GROUNDSWELL_INSTANTIATE(float)
GROUNDSWELL_INSTANTIATE(double)
#undef GROUNDSWELL_INSTANTIATE

}  // namespace groundswell::output
