#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/output/formats/hdf5/hdf5_layout.hpp"

namespace groundswell::output {

/// Appends chunk `number` of one record, or of a variable without records, as it is stored. `values` begin with
/// row `first_row`; row i of segment s stands at byte i · row_stride + s · segment_stride. Returns its bytes.
struct ChunkSource {
    std::span<const std::byte> values;
    std::int64_t first_row = 0, row_stride = 0, segment_stride = 0;
};
std::int64_t append_chunk(std::vector<std::byte>& to, const Hdf5Layout& layout, const ChunkSource& source,
                          std::int64_t number, std::int64_t value_bytes, int level);

/// Output of one rank after the compression of one variable of one record: consecutive whole chunks, possibly
/// none.
struct DeflatedRows {
    std::vector<std::byte> bytes;          ///< of its chunks, one after another
    std::int64_t before = 0;               ///< bytes of the ranks before it
    std::int64_t first_row = 0, rows = 0;  ///< that are in them
    std::vector<std::int64_t> sizes;       ///< on rank 0: compressed bytes of all chunks of all ranks
};

/// The rows of one variable, spread over the ranks in ascending order, until they are compressed in chunks.
class ChunkRows {
public:
    /// `together`: each rank adds its own rows; else rank 0 adds all.
    ChunkRows(MPI_Comm comm, bool together);

    void clear();
    /// Rows [first, first + count) of all segments: each follows the one added before it; on a rank that adds
    /// all they come in any order. Not collective.
    void add(const Hdf5Layout& layout, std::int64_t first, std::int64_t count,
             std::span<const std::byte> values);

    /// Collective. Compresses all rows and forgets them. A chunk is compressed by the rank that has its first
    /// row; the others send it theirs.
    /// @param value_bytes of one value
    /// @param level 1 to 9
    DeflatedRows deflate(const Hdf5Layout& layout, std::int64_t value_bytes, int level);

private:
    /// Consecutive rows of a rank.
    struct Rows {
        std::int64_t first = 0, count = 0;
        std::int64_t end() const { return first + count; }
        bool empty() const { return count == 0; }
        /// Range of the chunks whose first row is among these.
        std::int64_t first_chunk(const Hdf5Layout& layout) const;
        std::int64_t end_chunk(const Hdf5Layout& layout) const;
    };

    std::vector<Rows> rows_of_all() const;
    void move_edges(const std::vector<Rows>& all, const Hdf5Layout& layout);
    std::vector<std::int64_t> compress(const Hdf5Layout& layout, std::int64_t value_bytes, int level,
                                       std::vector<std::byte>& deflated) const;

    MPI_Comm comm_;
    bool together_;
    int rank_ = 0, ranks_ = 1;
    Rows have_;
    std::vector<std::byte> values_;  // of these rows: row after row, each in all segments
};

}  // namespace groundswell::output
