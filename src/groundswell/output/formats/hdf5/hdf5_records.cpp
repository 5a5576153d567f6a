#include "groundswell/output/formats/hdf5/hdf5_records.hpp"

#include "groundswell/output/formats/hdf5/chunk_rows.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::output {

std::vector<DeflatedRecords> deflate_records(const Schema& schema, const std::vector<Hdf5Layout>& layouts,
                                             std::span<const RecordPlace> places, std::int64_t records,
                                             std::span<const std::byte> bytes, int level) {
    std::vector<DeflatedRecords> all(layouts.size());
    for (std::size_t v = 0; v < layouts.size(); ++v) {
        const Hdf5Layout& layout = layouts[v];
        if (!layout.record || !layout.deflated) continue;
        for (std::int64_t record = 0; record < records; ++record) {
            const auto values =
                bytes.subspan(places[v].offset + record * places[v].stride, layout.record_bytes());
            for (std::int64_t chunk = 0; chunk < layout.chunks(); ++chunk)
                all[v].sizes.push_back(append_chunk(
                    all[v].bytes, layout, {values, 0, layout.row_bytes, layout.rows * layout.row_bytes},
                    chunk, size_of(schema.variables[v].type), level));
        }
    }
    return all;
}

namespace {

/// The sizes of all compressed chunks on rank 0: one rank's after another's, of each rank one variable's after
/// another's.
struct SizesOfAll {
    std::vector<std::int64_t> sizes;
    std::int64_t chunks = 0;  // of a record, of all variables

    /// Those of one variable, whose chunks of a record stand behind `before` others; and with which of them each rank
    /// begins.
    std::vector<std::int64_t> of_variable(const RecordSplit& split, std::int64_t own, std::int64_t before,
                                          std::vector<std::size_t>& first_of_rank) const {
        std::vector<std::int64_t> found;
        std::int64_t at = 0;
        for (int rank = 0; rank < split.ranks; ++rank) {
            const std::int64_t records = split.of_rank(rank).rows();
            const auto begin = sizes.begin() + at + records * before;
            first_of_rank.push_back(found.size());
            found.insert(found.end(), begin, begin + records * own);
            at += records * chunks;
        }
        return found;
    }
};

/// Collective.
SizesOfAll gather_sizes(MPI_Comm comm, const std::vector<Hdf5Layout>& layouts, const RecordSplit& split,
                        const std::vector<DeflatedRecords>& deflated) {
    SizesOfAll all;
    std::vector<std::int64_t> mine;
    for (std::size_t v = 0; v < layouts.size(); ++v) {
        mine.insert(mine.end(), deflated[v].sizes.begin(), deflated[v].sizes.end());
        if (layouts[v].record && layouts[v].deflated) all.chunks += layouts[v].chunks();
    }
    if (all.chunks == 0) return all;
    std::vector<int> counts, begin;
    for (int rank = 0; rank < split.ranks; ++rank) {
        begin.push_back(counts.empty() ? 0 : begin.back() + counts.back());
        counts.push_back(static_cast<int>(split.of_rank(rank).rows() * all.chunks));
    }
    if (parallel::rank_of(comm) == 0) all.sizes.resize(split.records * all.chunks);
    parallel::check(MPI_Gatherv(mine.data(), static_cast<int>(mine.size()), MPI_INT64_T, all.sizes.data(),
                                counts.data(), begin.data(), MPI_INT64_T, 0, comm),
                    "gather the sizes of compressed records");
    return all;
}

/// Rank 0: for each rank one place a variable.
std::vector<RunPlace> find_places(Hdf5Places& places, std::int64_t first, const RecordSplit& split,
                                  const SizesOfAll& sizes) {
    const std::size_t variables = places.layouts().size(), ranks = static_cast<std::size_t>(split.ranks);
    std::vector<RunPlace> all(variables * ranks);
    std::int64_t before = 0;
    for (std::size_t v = 0; v < variables; ++v) {
        const Hdf5Layout& layout = places.layouts()[v];
        if (!layout.record) continue;
        if (!layout.deflated) {
            const RunPlace run = places.place_run(v, first, split.records);
            for (std::size_t rank = 0; rank < ranks; ++rank) all[rank * variables + v] = run;
            continue;
        }
        std::vector<std::size_t> first_of_rank;
        const std::size_t placed = places.of_variables()[v].size();
        places.place_deflated(v, sizes.of_variable(split, layout.chunks(), before, first_of_rank));
        const std::vector<Place>& chunks = places.of_variables()[v];
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            const std::size_t number = placed + first_of_rank[rank];
            if (number < chunks.size()) all[rank * variables + v].fresh = chunks[number].address;
        }
        before += layout.chunks();
    }
    return all;
}

}  // namespace

std::vector<RunPlace> place_records(MPI_Comm comm, Hdf5Places& places, std::int64_t first,
                                    const RecordSplit& split, const std::vector<DeflatedRecords>& deflated) {
    const SizesOfAll sizes = gather_sizes(comm, places.layouts(), split, deflated);
    std::vector<RunPlace> all, mine(places.layouts().size());
    parallel::agree(comm, [&] {
        if (parallel::rank_of(comm) == 0) all = find_places(places, first, split, sizes);
    });
    static_assert(sizeof(RunPlace) == 2 * sizeof(std::int64_t));
    const int count = 2 * static_cast<int>(mine.size());
    parallel::check(MPI_Scatter(all.data(), count, MPI_INT64_T, mine.data(), count, MPI_INT64_T, 0, comm),
                    "tell the places of records");
    return mine;
}

std::vector<RecordPart> parts_of(const Hdf5Layout& layout, std::int64_t first, const Block& records,
                                 const RunPlace& run, std::span<const std::byte> values) {
    if (layout.deflated) return {{records, run.fresh, values}};
    const std::int64_t size = layout.record_bytes(), border = first_fresh(layout, first);
    const std::int64_t middle = std::clamp(border, records.begin, records.end);
    const auto begun = static_cast<std::size_t>((middle - records.begin) * size);
    std::vector<RecordPart> parts;
    if (records.begin < middle)
        parts.push_back(
            {{records.begin, middle}, run.begun + records.begin % layout.slots * size, values.first(begun)});
    if (middle < records.end)
        parts.push_back({{middle, records.end}, run.fresh + (middle - border) * size, values.subspan(begun)});
    return parts;
}

}  // namespace groundswell::output
