#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/output/decomposition.hpp"
#include "groundswell/output/schema.hpp"
#include "groundswell/output/storage.hpp"

/// One netCDF file (CDF-5 or netCDF-4) that many ranks write together, record by record.
///
/// Guarantees to a reader at any moment, even after a kill: the file opens, and every record that it shows
/// is whole. What a writer may rely on: when a call returns, the values are in the file and were found there;
/// when they are not, every rank of the communicator gets the same exception.
namespace groundswell::output {

struct FileOptions {
    std::string mode = "auto";  ///< direct, serial, or auto: direct where this build has it for the format
    bool overwrite = false;     ///< replace an existing file instead of refusing
    std::map<std::string, std::string> hints;  ///< for MPI-IO and PnetCDF; without effect in mode serial
    Storage storage = {};
};

/// Values of one variable on this rank; row-major, in the variable's type, with the rank's own rows in the
/// place of all rows of the distributed dimension: of (time, level, node), distributed along `node`, the
/// values of all own nodes in the first level, then those in the second. A view: the memory must live as long
/// as the call that it is given to.
struct Values {
    std::string variable;
    Type type = Type::float32;
    const std::byte* data = nullptr;
    std::int64_t count = 0;                        ///< values in `data`
    std::int64_t row_stride = 0;                   ///< values from one row to the next; 0: rows are packed
    const Decomposition* decomposition = nullptr;  ///< null: rank 0's values are the whole array
};

/// Values of the rows that this rank owns: segments × owned × row_width (RowShape) of them, or with
/// `row_stride` (≥ row_width) padding after each row.
template <class T>
Values distributed(std::string variable, const Decomposition& decomposition, std::span<const T> values,
                   std::int64_t row_stride = 0) {
    return {std::move(variable),
            type_of<T>(),
            reinterpret_cast<const std::byte*>(values.data()),
            static_cast<std::int64_t>(values.size()),
            row_stride,
            &decomposition};
}

/// The whole array, known at least on rank 0 (the other ranks' values are not looked at).
template <class T>
Values replicated(std::string variable, std::span<const T> values) {
    return {std::move(variable),
            type_of<T>(),
            reinterpret_cast<const std::byte*>(values.data()),
            static_cast<std::int64_t>(values.size()),
            0,
            nullptr};
}

class File {
public:
    /// Collective. Creates `path`, defines the schema and reserves room for the variables without a record
    /// dimension. `comm` must stay valid until close() and may carry other messages between calls.
    /// Refusal: unknown or unavailable mode, bad schema, file exists (without `overwrite`), folder missing or
    /// not writable. RunFailure: what the system says.
    static File create(MPI_Comm comm, const std::string& path, const Schema& schema,
                       const FileOptions& options = {});

    /// Collective. Goes on with an existing file after a restart: checks that it holds this schema (but for
    /// provenance attributes; time_coverage_end becomes the schema's), keeps its records with time ≤
    /// `last_time` (in the file's own time unit), drops the later ones, and appends after them. Refusal when
    /// the file is missing, damaged or of another kind.
    static File reopen(MPI_Comm comm, const std::string& path, const Schema& schema, double last_time,
                       const FileOptions& options = {});

    File(File&&) noexcept;
    File& operator=(File&&) noexcept;
    /// Without close() the file is left as it is: valid, with every record that append_record(s) returned for.
    ~File();

    /// Collective. Writes one variable without record dimension.
    void write_fixed(const Values& values);

    /// Collective. Writes all record variables at once: `time` goes to the coordinate variable of the record
    /// dimension, `values` must hold each other record variable once. The record becomes visible to readers
    /// when it is whole and verified.
    void append_record(double time, std::span<const Values> values);

    /// Collective. As many records as there are times, at once: `values` hold what belongs to the first time,
    /// then what belongs to the second, and so on. Readers see all of them or none. Small records (8 MiB at
    /// most) cost no more agreements, and up to some MiB no more messages and writes, than one of them.
    void append_records(std::span<const double> times, std::span<const Values> values);

    /// Collective. After a RunFailure in write_fixed() or append_record(s): that very call may be made again
    /// (the disk may have room now). Without this every further call throws the same.
    void forget_failure();

    /// Collective. Brings all that was written to the device, where a power failure leaves it.
    void flush();

    /// Collective. Flushes and checks header and size once more. Nothing can be written
    /// afterwards; every variable without record dimension must have been.
    void close();

    const std::string& path() const;
    std::string_view mode() const;       ///< direct or serial
    std::int64_t records() const;        ///< visible ones
    std::int64_t bytes_written() const;  ///< of values by all ranks, through this object
    std::int64_t messages_sent() const;  ///< of values by this rank to others, through this object
    double seconds() const;              ///< this rank's time in write_fixed, append_record and close

private:
    struct Implementation;
    explicit File(std::unique_ptr<Implementation> implementation);
    std::unique_ptr<Implementation> implementation_;
};

/// The modes that this build offers for files of this format: CDF-5 needs PnetCDF to be written by all ranks.
std::vector<std::string> available_modes(Format format = Format::cdf5);

/// "1.12.3"; empty in a build without PnetCDF.
std::string pnetcdf_version();

/// The mode that `mode` stands for (auto → direct or serial). Refusal naming `where` and listing the
/// available ones when there is no such mode, or this build has it not.
std::string resolve_mode(std::string_view mode, std::string_view where, Format format = Format::cdf5);

}  // namespace groundswell::output
