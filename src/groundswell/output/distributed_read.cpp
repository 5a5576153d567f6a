#include "groundswell/output/distributed_read.hpp"

#include <fmt/format.h>

#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/check/checksum.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::output {

namespace {

/// Whether the file has a checksum of these values. It is that of values as they are stored.
template <class T>
bool has_checksum(const Schema& schema, std::string_view name) {
    const Variable* variable = schema.find(name);
    return schema.find(checksum_name(name)) != nullptr && variable->type == type_of<T>();
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
                                    std::int64_t record) {
    const std::int64_t width = parallel::agree(rows.comm(), [&] {
        const Schema& schema = file.schema();
        const Variable* variable = schema.find(name);
        base::require(variable != nullptr, file.path(), "variable", name, "a variable of the file");
        base::require(
            schema.rows(*variable) == rows.rows() && schema.row_width(*variable) <= stride, file.path(), name,
            fmt::format("{} rows of {} values", schema.rows(*variable), schema.row_width(*variable)),
            fmt::format("{} rows of {} values at most", rows.rows(), stride));
        const std::int64_t row = schema.row_width(*variable);
        GS_ASSERT(rows.owned() == 0 ||
                  static_cast<std::int64_t>(values.size()) >= (rows.owned() - 1) * stride + row);
        return row;
    });
    const auto row_bytes = width * static_cast<std::int64_t>(sizeof(T));
    std::vector<T> piece;
    parallel::ReadCost cost;
    const bool checked = has_checksum<T>(file.schema(), name);
    std::uint64_t sum = 0;
    const std::int64_t messages_before = rearranger.messages_sent(), bytes_before = rearranger.bytes_sent();
    const std::int64_t pieces = rearranger.pieces(rows, row_bytes);
    for (std::int64_t number = 0; number < pieces; ++number) {
        const Block mine = rearranger.rows_of_piece(rows, row_bytes, number);
        parallel::agree(rows.comm(), [&] {
            piece.resize(static_cast<std::size_t>(mine.rows() * width));
            file.read<T>(name, record, mine.begin, mine.rows(), piece);
        });
        if (checked) sum += rows_checksum(mine.begin, std::as_bytes(std::span(piece)), row_bytes);
        rearranger.scatter(rows, std::as_bytes(std::span(piece)), reinterpret_cast<std::byte*>(values.data()),
                           row_bytes, stride * static_cast<std::int64_t>(sizeof(T)), number);
        cost.bytes_read += mine.rows() * row_bytes;
    }
    if (checked) check_sum(rows.comm(), file, name, record, sum);
    cost.messages = rearranger.messages_sent() - messages_before;
    cost.bytes_sent = rearranger.bytes_sent() - bytes_before;
    return cost;
}

template parallel::ReadCost read_distributed<float>(const Reader&, std::string_view, const Decomposition&,
                                                    Rearranger&, std::span<float>, std::int64_t,
                                                    std::int64_t);
template parallel::ReadCost read_distributed<double>(const Reader&, std::string_view, const Decomposition&,
                                                     Rearranger&, std::span<double>, std::int64_t,
                                                     std::int64_t);

}  // namespace groundswell::output
