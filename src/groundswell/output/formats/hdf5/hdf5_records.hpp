#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/output/formats/hdf5/hdf5_places.hpp"
#include "groundswell/output/formats/whole_records.hpp"
#include "groundswell/output/schema.hpp"

/// Many whole records at once in a netCDF-4 file: compressed where they are, and brought to their places by one
/// agreement for all.
namespace groundswell::output {

/// A rank's records of one variable, compressed: chunk after chunk. Empty for a variable that is not compressed.
struct DeflatedRecords {
    std::vector<std::byte> bytes;
    std::vector<std::int64_t> sizes;  ///< of the chunks
};

/// For each variable of the schema. `places` says where the values of its records stand in `bytes`.
std::vector<DeflatedRecords> deflate_records(const Schema& schema, const std::vector<Hdf5Layout>& layouts,
                                             std::span<const RecordPlace> places, std::int64_t records,
                                             std::span<const std::byte> bytes, int level);

/// Collective: rank 0 finds room for all records from `first` on of all variables, and tells each rank where its own
/// go, for each variable. RunFailure on all ranks when there is none.
std::vector<RunPlace> place_records(MPI_Comm comm, Hdf5Places& places, std::int64_t first,
                                    const RecordSplit& split, const std::vector<DeflatedRecords>& deflated);

/// Records whose values go to one place.
struct RecordPart {
    Block records;
    std::int64_t address;
    std::span<const std::byte> values;
};

/// Parts of a rank's records of one variable, compressed or not, of which place_records() found room for those from `first` on:
/// they follow one another but where a chunk that was begun earlier is filled.
std::vector<RecordPart> parts_of(const Hdf5Layout& layout, std::int64_t first, const Block& records,
                                 const RunPlace& run, std::span<const std::byte> values);

}  // namespace groundswell::output
