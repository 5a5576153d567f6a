#include "groundswell/output/formats/hdf5/chunk_rows.hpp"

#include <zlib.h>

#include <algorithm>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::output {

namespace {

// Appends `values` (each of `value_bytes`) to `to` as HDF5's filters shuffle and deflate store them: all
// first bytes, all second bytes, … as one zlib stream of this level, 1 to 9. Returns the bytes appended.
std::int64_t append_deflated(std::vector<std::byte>& to, std::span<const std::byte> values,
                             std::int64_t value_bytes, int level) {
    const auto width = static_cast<std::size_t>(value_bytes);
    const std::size_t count = values.size() / width;
    GS_ASSERT(count * width == values.size());
    std::vector<std::byte> shuffled(values.size());
    for (std::size_t byte = 0; byte < width; ++byte) {
        std::byte* const row = shuffled.data() + byte * count;
        for (std::size_t i = 0; i < count; ++i) row[i] = values[i * width + byte];
    }
    const std::size_t before = to.size();
    uLongf length = compressBound(static_cast<uLong>(shuffled.size()));
    to.resize(before + length);
    const int status = compress2(reinterpret_cast<Bytef*>(to.data() + before), &length,
                                 reinterpret_cast<const Bytef*>(shuffled.data()),
                                 static_cast<uLong>(shuffled.size()), level);
    GS_ASSERT(status == Z_OK);
    to.resize(before + length);
    return static_cast<std::int64_t>(length);
}

constexpr int tag_edge = 743;

std::int64_t divided_upwards(std::int64_t number, std::int64_t by) {
    return (number + by - 1) / by;
}

}  // namespace

std::int64_t append_chunk(std::vector<std::byte>& to, const Hdf5Layout& layout, const ChunkSource& source,
                          std::int64_t number, std::int64_t value_bytes, int level) {
    const std::int64_t first = number * layout.chunk_rows;
    const std::int64_t rows = std::min(layout.chunk_rows, layout.rows - first);
    const std::byte* const begin = source.values.data() + (first - source.first_row) * source.row_stride;
    if (layout.segments == 1 && rows == layout.chunk_rows && source.row_stride == layout.row_bytes)
        return append_deflated(to, {begin, static_cast<std::size_t>(layout.chunk_bytes())}, value_bytes,
                               level);
    std::vector<std::byte> chunk(layout.chunk_bytes());  // may reach beyond the rows
    for (std::int64_t segment = 0; segment < layout.segments; ++segment)
        for (std::int64_t row = 0; row < rows; ++row)
            std::copy_n(begin + row * source.row_stride + segment * source.segment_stride, layout.row_bytes,
                        chunk.begin() + (segment * layout.chunk_rows + row) * layout.row_bytes);
    return append_deflated(to, chunk, value_bytes, level);
}

std::int64_t ChunkRows::Rows::first_chunk(const Hdf5Layout& layout) const {
    return divided_upwards(first, layout.chunk_rows);
}
std::int64_t ChunkRows::Rows::end_chunk(const Hdf5Layout& layout) const {
    return divided_upwards(end(), layout.chunk_rows);
}

ChunkRows::ChunkRows(MPI_Comm comm, bool together)
    : comm_(comm), together_(together), rank_(parallel::rank_of(comm)), ranks_(parallel::size_of(comm)) {}

void ChunkRows::clear() {
    have_ = {};
    values_.clear();
}

void ChunkRows::add(const Hdf5Layout& layout, std::int64_t first, std::int64_t count,
                    std::span<const std::byte> values) {
    const std::int64_t whole = layout.segments * layout.row_bytes;
    std::int64_t at = 0;
    if (together_) {
        if (have_.empty()) have_.first = first;
        GS_ASSERT(first == have_.end());
        have_.count += count;
        at = static_cast<std::int64_t>(values_.size());
        values_.resize(values_.size() + values.size());
    } else {
        have_ = {0, layout.rows};
        values_.resize(layout.rows * whole);
        at = first * whole;
    }
    if (layout.segments == 1) {
        std::copy(values.begin(), values.end(), values_.begin() + at);
        return;
    }
    const std::byte* from = values.data();
    for (std::int64_t segment = 0; segment < layout.segments; ++segment)
        for (std::int64_t row = 0; row < count; ++row, from += layout.row_bytes)
            std::copy_n(from, layout.row_bytes,
                        values_.begin() + at + row * whole + segment * layout.row_bytes);
}

DeflatedRows ChunkRows::deflate(const Hdf5Layout& layout, std::int64_t value_bytes, int level) {
    const std::vector<Rows> all = rows_of_all();
    move_edges(all, layout);
    DeflatedRows result;
    const std::vector<std::int64_t> sizes = compress(layout, value_bytes, level, result.bytes);
    result.first_row = have_.first;
    result.rows = have_.count;
    clear();

    std::vector<int> counts, offsets;
    for (const Rows& each : all) {
        offsets.push_back(counts.empty() ? 0 : offsets.back() + counts.back());
        counts.push_back(each.empty() ? 0
                                      : static_cast<int>(each.end_chunk(layout) - each.first_chunk(layout)));
    }
    result.sizes.resize(rank_ == 0 ? static_cast<std::size_t>(layout.chunks()) : 0);
    parallel::check(MPI_Gatherv(sizes.data(), static_cast<int>(sizes.size()), MPI_INT64_T,
                                result.sizes.data(), counts.data(), offsets.data(), MPI_INT64_T, 0, comm_),
                    "gather the sizes of compressed chunks");
    const auto bytes = static_cast<std::int64_t>(result.bytes.size());
    parallel::check(MPI_Exscan(&bytes, &result.before, 1, MPI_INT64_T, MPI_SUM, comm_), "find a place");
    if (rank_ == 0) result.before = 0;  // MPI leaves it undefined there
    return result;
}

std::vector<ChunkRows::Rows> ChunkRows::rows_of_all() const {
    std::vector<Rows> all(ranks_);
    static_assert(sizeof(Rows) == 2 * sizeof(std::int64_t));
    parallel::check(MPI_Allgather(&have_, 2, MPI_INT64_T, all.data(), 2, MPI_INT64_T, comm_),
                    "tell which rows are where");
    return all;
}

/// Collective. Makes the rows of this rank those of whole chunks: the first ones go to the rank that has the
/// beginning of their chunk, and others are added at the end.
void ChunkRows::move_edges(const std::vector<Rows>& all, const Hdf5Layout& layout) {
    const std::int64_t first_chunk = have_.first_chunk(layout), end_chunk = have_.end_chunk(layout);
    const std::int64_t whole = layout.segments * layout.row_bytes;
    MPI_Request request = MPI_REQUEST_NULL;
    std::vector<std::byte> head;
    if (!have_.empty() && first_chunk * layout.chunk_rows > have_.first) {
        const std::int64_t chunk = have_.first / layout.chunk_rows;
        const auto owner = std::find_if(all.begin(), all.end(), [&](const Rows& each) {
            return !each.empty() && each.first_chunk(layout) <= chunk && chunk < each.end_chunk(layout);
        });
        GS_ASSERT(owner != all.end());
        const std::int64_t first = std::min(have_.end(), first_chunk * layout.chunk_rows);
        const std::int64_t bytes = (first - have_.first) * whole;
        head.assign(values_.begin(), values_.begin() + bytes);
        values_.erase(values_.begin(), values_.begin() + bytes);
        have_ = {first, have_.end() - first};
        parallel::check(MPI_Isend(head.data(), static_cast<int>(bytes), MPI_BYTE,
                                  static_cast<int>(owner - all.begin()), tag_edge, comm_, &request),
                        "send the rows of a chunk");
    }
    if (!have_.empty()) {
        const std::int64_t end = std::min(layout.rows, end_chunk * layout.chunk_rows);
        for (int rank = rank_ + 1; rank < ranks_ && have_.end() < end; ++rank) {
            const Rows& other = all[rank];
            if (other.empty()) continue;
            const std::int64_t count = std::min(end, other.end()) - other.first;
            const auto bytes = static_cast<std::size_t>(count * whole);
            const std::size_t at = values_.size();
            values_.resize(at + bytes);
            parallel::check(MPI_Recv(values_.data() + at, static_cast<int>(bytes), MPI_BYTE, rank, tag_edge,
                                     comm_, MPI_STATUS_IGNORE),
                            "take the rows of a chunk");
            have_.count += count;
        }
    }
    parallel::check(MPI_Wait(&request, MPI_STATUS_IGNORE), "send the rows of a chunk");
}

/// Appends the compressed chunks of this rank, and returns their sizes.
std::vector<std::int64_t> ChunkRows::compress(const Hdf5Layout& layout, std::int64_t value_bytes, int level,
                                              std::vector<std::byte>& deflated) const {
    std::vector<std::int64_t> sizes;
    const std::int64_t whole = layout.segments * layout.row_bytes;
    for (std::int64_t row = have_.first; row < have_.end(); row += layout.chunk_rows)
        sizes.push_back(append_chunk(deflated, layout, {values_, have_.first, whole, layout.row_bytes},
                                     row / layout.chunk_rows, value_bytes, level));
    return sizes;
}

}  // namespace groundswell::output
