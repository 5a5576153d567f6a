#include "groundswell/output/formats/whole_records.hpp"

#include <algorithm>
#include <cstring>

#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/gather.hpp"

namespace groundswell::output {

Block RecordSplit::of_rank(int rank) const {
    const auto writer = static_cast<int>((static_cast<std::int64_t>(rank) * writers + ranks - 1) / ranks);
    return writer < writers && rank_of(writer) == rank ? of_writer(writer) : Block{};
}

WholeRecords::WholeRecords(MPI_Comm comm)
    : comm_(comm), rank_(parallel::rank_of(comm)), ranks_(parallel::size_of(comm)) {}

/// Lists of the length of a record: records that are handed over by the hundred are small.
const WholeRecords::Owners& WholeRecords::owners(const Decomposition& decomposition) {
    const auto [place, is_new] = owners_.try_emplace(decomposition.identity());
    Owners& owners = place->second;
    if (!is_new) return owners;
    const std::vector<std::int64_t> mine = decomposition.owned_rows();
    auto all = parallel::gather_rows<std::int64_t>(comm_, mine, true);
    owners.begin.assign(all.begin.begin(), all.begin.end());
    owners.rows = std::move(all.values);
    return owners;
}

std::int64_t WholeRecords::Source::rows_of(int rank) const {
    if (owners == nullptr) return rank == 0 ? shape.rows : 0;
    const auto r = static_cast<std::size_t>(rank);
    return owners->begin[r + 1] - owners->begin[r];
}

std::vector<WholeRecords::Source> WholeRecords::sources(const Schema& schema, const Run& run,
                                                        std::span<const RecordPlace> places) {
    std::vector<Source> result;
    for (const Values& values : run.values) {
        const Variable* variable = schema.find(values.variable);
        Source source;
        source.values = &values;
        source.owners = values.decomposition == nullptr ? nullptr : &owners(*values.decomposition);
        source.shape = schema.row_shape(*variable);
        source.row_bytes = source.shape.row_width * size_of(variable->type);
        source.stride =
            values.row_stride == 0 ? source.row_bytes : values.row_stride * size_of(variable->type);
        source.place = places[variable - schema.variables.data()];
        result.push_back(source);
    }
    return result;
}

/// This rank's rows of some records: variable by variable, record by record, without padding.
std::vector<std::byte> WholeRecords::pack(const std::vector<Source>& sources, const Run& run,
                                          Block records) const {
    std::int64_t bytes = 0;
    for (const Source& source : sources) bytes += records.rows() * source.bytes_of(rank_);
    std::vector<std::byte> message(bytes);
    std::byte* to = message.data();
    for (const Source& source : sources) {
        const std::int64_t rows = source.shape.segments * source.rows_of(rank_);
        const std::byte* from = source.values->data + (run.first + records.begin) * rows * source.stride;
        if (rows == 0) continue;
        for (std::int64_t i = 0; i < records.rows() * rows;
             ++i, from += source.stride, to += source.row_bytes)
            std::memcpy(to, from, static_cast<std::size_t>(source.row_bytes));
    }
    return message;
}

void WholeRecords::unpack(const std::vector<Source>& sources, int rank, std::int64_t records,
                          std::span<const std::byte> message, std::span<std::byte> buffer) {
    const std::byte* from = message.data();
    for (const Source& source : sources) {
        const std::int64_t rows = source.rows_of(rank);
        for (std::int64_t record = 0; record < records; ++record) {
            std::byte* const values = buffer.data() + source.place.offset + record * source.place.stride;
            for (std::int64_t segment = 0; segment < source.shape.segments; ++segment)
                for (std::int64_t i = 0; i < rows; ++i, from += source.row_bytes)
                    std::memcpy(values + source.shape.number(segment, source.row(rank, i)) * source.row_bytes,
                                from, static_cast<std::size_t>(source.row_bytes));
        }
    }
}

void WholeRecords::gather(const Schema& schema, const Run& run, std::span<const RecordPlace> places,
                          std::span<std::byte> buffer) {
    constexpr int tag = 744;
    const std::vector<Source> all = sources(schema, run, places);
    const Block mine = run.split.of_rank(rank_);
    std::vector<MPI_Request> requests;
    std::vector<std::vector<std::byte>> incoming(ranks_), outgoing;
    for (int rank = 0; rank < ranks_; ++rank) {
        if (rank == rank_ || mine.rows() == 0) continue;
        std::int64_t bytes = 0;
        for (const Source& source : all) bytes += mine.rows() * source.bytes_of(rank);
        if (bytes == 0) continue;
        std::vector<std::byte>& message = incoming[rank];
        message.resize(bytes);
        parallel::check(MPI_Irecv(message.data(), static_cast<int>(bytes), MPI_BYTE, rank, tag, comm_,
                                  &requests.emplace_back(MPI_REQUEST_NULL)),
                        "receiving records");
    }
    for (int writer = 0; writer < run.split.writers; ++writer) {
        const Block theirs = run.split.of_writer(writer);
        const int rank = run.split.rank_of(writer);
        if (theirs.rows() == 0) continue;
        std::vector<std::byte> message = pack(all, run, theirs);
        if (rank == rank_) {
            incoming[rank] = std::move(message);
            continue;
        }
        if (message.empty()) continue;
        outgoing.push_back(std::move(message));
        parallel::check(MPI_Isend(outgoing.back().data(), static_cast<int>(outgoing.back().size()), MPI_BYTE,
                                  rank, tag, comm_, &requests.emplace_back(MPI_REQUEST_NULL)),
                        "sending records");
        ++messages_sent_;
    }
    parallel::check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
                    "rearranging records");
    for (int rank = 0; rank < ranks_; ++rank) unpack(all, rank, mine.rows(), incoming[rank], buffer);
    // The times are known to all.
    const Variable* time = schema.find(schema.record_dimension()->name);
    const RecordPlace& place = places[time - schema.variables.data()];
    for (std::int64_t record = 0; record < mine.rows(); ++record)
        std::memcpy(buffer.data() + place.offset + record * place.stride,
                    &run.times[run.first + mine.begin + record], sizeof(double));
}

}  // namespace groundswell::output
