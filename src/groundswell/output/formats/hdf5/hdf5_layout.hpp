#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "groundswell/output/schema.hpp"

/// Layout of the values of a netCDF-4 file: in contiguous pieces ("chunks" in HDF5), whose places the
/// file's metadata list. They follow from the schema and the compression alone, so that a file can be
/// continued.
namespace groundswell::output {

/// A piece of a file. address < 0: it is not there.
struct Place {
    std::int64_t address = -1, bytes = 0;
};

struct Hdf5Layout {
    bool record = false;        ///< has the record dimension
    bool deflated = false;      ///< each chunk is compressed for itself
    bool chunked = false;       ///< else one contiguous piece
    std::int64_t slots = 1;     ///< records that share a chunk
    std::size_t axis = 0;       ///< which dimension (after the record dimension) has the rows
    std::int64_t segments = 1;  ///< of the variable: product of the dimensions before that one
    std::int64_t rows = 1;
    std::int64_t chunk_rows = 1;  ///< rows of a chunk; the last one of a record may reach beyond the variable
    std::int64_t row_bytes = 1;   ///< of a row in one segment

    std::int64_t chunks() const { return (rows + chunk_rows - 1) / chunk_rows; }  ///< that hold one record
    std::int64_t chunk_bytes() const {                                            ///< before compression
        return slots * segments * chunk_rows * row_bytes;
    }
    std::int64_t record_bytes() const { return segments * rows * row_bytes; }
    /// Chunks that hold so many records; of a variable without records all it has.
    std::int64_t chunks_of(std::int64_t records) const {
        return record ? (records + slots - 1) / slots * chunks() : chunks();
    }
};

/// Records of less than 1 KiB are never compressed, and share chunks of up to 16 KiB; larger ones have a
/// chunk, or several, of their own: compressed ones of about 1 MiB, along the rows that ranks own. Values that
/// are not compressed stand in the file in the order of the variable, whichever rows ranks own.
Hdf5Layout hdf5_layout(const Schema& schema, const Variable& variable, int compression);
/// Layouts of all variables.
std::vector<Hdf5Layout> hdf5_layouts(const Schema& schema, int compression);

/// Lengths of a chunk along each dimension of the variable.
std::vector<std::int64_t> chunk_shape(const Schema& schema, const Variable& variable,
                                      const Hdf5Layout& layout);

/// Layout of one variable in an existing file.
struct Hdf5Stored {
    std::int64_t records = 0;         ///< its own length along the record dimension; 0 without one
    bool deflated = false;            ///< any filter
    std::vector<std::int64_t> chunk;  ///< shape; empty: contiguous
    std::vector<Place>
        places;  ///< of all chunks, the last dimension fastest; of a contiguous variable its one
};

/// Where the values of a netCDF-4 file lie, for each variable of the schema. Refusal when the file cannot be
/// read.
std::vector<Hdf5Stored> read_hdf5_places(const std::string& path, const Schema& schema);

/// Refusal when what an existing file has of a variable is not what its first `records` records need to be continued with
/// this layout.
void check_hdf5_stored(const std::string& path, const Schema& schema, std::size_t variable,
                       const Hdf5Layout& layout, const Hdf5Stored& stored, std::int64_t records);

}  // namespace groundswell::output
