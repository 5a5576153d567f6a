#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "groundswell/output/decomposition.hpp"
#include "groundswell/output/file.hpp"
#include "groundswell/output/schema.hpp"

/// Many small records at once: each of the ranks that write gets whole records, one after another, so that
/// messages and writes do not depend on how many records there are.
namespace groundswell::output {

/// Consecutive records in contiguous blocks over some of the ranks.
struct RecordSplit {
    std::int64_t records = 0;
    int writers = 1, ranks = 1;

    int rank_of(int writer) const {
        return static_cast<int>(static_cast<std::int64_t>(writer) * ranks / writers);
    }
    /// The records of a writer, counted from the first of all.
    Block of_writer(int writer) const {
        return {writer * records / writers, (writer + 1) * records / writers};
    }
    /// The records of any rank; may be none.
    Block of_rank(int rank) const;
};

/// Where the values of a variable stand in a buffer of whole records: the first record's begin at `offset`,
/// the next one's `stride` bytes behind them.
struct RecordPlace {
    std::int64_t offset = 0, stride = 0;
};

class WholeRecords {
public:
    /// `comm` must live as long.
    explicit WholeRecords(MPI_Comm comm);

    struct Run {
        std::span<const double> times;   ///< of all records that `values` hold
        std::span<const Values> values;  ///< record after record
        std::int64_t first = 0;          ///< record of them with which the run begins
        RecordSplit split;               ///< of the run's records
    };
    /// Collective. Puts the values of this rank's records of the run to their places (one for each variable of
    /// the schema) in `buffer`.
    void gather(const Schema& schema, const Run& run, std::span<const RecordPlace> places,
                std::span<std::byte> buffer);

    std::int64_t messages_sent() const { return messages_sent_; }  ///< to other ranks, since construction

private:
    /// The rows of every rank, one rank's after another's, in the order in which it gives their values.
    struct Owners {
        std::vector<std::int64_t> begin;  // of each rank, and the end
        std::vector<std::int64_t> rows;
    };
    const Owners& owners(const Decomposition& decomposition);
    /// One of the variables of a run.
    struct Source {
        const Values* values = nullptr;
        const Owners* owners = nullptr;  // null: rank 0 has the whole array
        RowShape shape;
        std::int64_t row_bytes = 0, stride = 0;
        RecordPlace place;
        std::int64_t rows_of(int rank) const;
        std::int64_t bytes_of(int rank) const { return shape.segments * rows_of(rank) * row_bytes; }
        std::int64_t row(int rank, std::int64_t i) const {
            return owners == nullptr ? i : owners->rows[owners->begin[rank] + i];
        }
    };
    std::vector<Source> sources(const Schema& schema, const Run& run, std::span<const RecordPlace> places);
    std::vector<std::byte> pack(const std::vector<Source>& sources, const Run& run, Block records) const;
    static void unpack(const std::vector<Source>& sources, int rank, std::int64_t records,
                       std::span<const std::byte> message, std::span<std::byte> buffer);

    MPI_Comm comm_;
    int rank_ = 0, ranks_ = 1;
    std::map<std::uint64_t, Owners> owners_;  // of decompositions, by their identity
    std::int64_t messages_sent_ = 0;
};

}  // namespace groundswell::output
