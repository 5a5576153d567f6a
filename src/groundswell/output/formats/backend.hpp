#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/disk/disk.hpp"
#include "groundswell/output/disk/test_hooks.hpp"
#include "groundswell/output/formats/whole_records.hpp"
#include "groundswell/output/schema.hpp"
#include "groundswell/output/storage.hpp"

/// Writes contiguous blocks to a file: one implementation for each library. Used by File only.
namespace groundswell::output {

class Reader;

/// Rows [first_row, first_row + rows) of one variable, of record `record` (-1: not a record variable).
struct Target {
    int variable = 0;  ///< index in the schema
    std::int64_t record = -1;
    std::int64_t first_row = 0, rows = 0;
};

/// Every function is collective unless it says otherwise, and throws RunFailure on all ranks together.
class Backend {
public:
    Backend(MPI_Comm comm, std::string path, const Schema& schema);
    virtual ~Backend() = default;

    /// Makes and defines the file, in place of any other. It has its name only when its header is there:
    /// until then, and after a kill meanwhile, it is NAME.part (a name that ends so is taken as it is), and
    /// who reads the old one keeps it. A link goes on leading to the file.
    void create(const std::map<std::string, std::string>& hints);

    /// Opens an existing file of this schema, and drops its records after `last_time`. Returns how many are
    /// left. Refusal when it cannot be continued.
    virtual std::int64_t reopen(const std::map<std::string, std::string>& hints, double last_time) = 0;

    /// Before the first variable of `records` records from `record` on (-1: before one variable without
    /// records): makes room for them. What an earlier attempt at it left is forgotten.
    virtual void begin(std::int64_t record, std::int64_t records, const std::string& what) = 0;
    virtual void begin_variable(int, std::int64_t) {}

    /// Each rank's own rows, possibly none, in all segments of the variable. Does not throw: a failure is
    /// kept, later writes are skipped, and the ranks stay in step until they agree on it. May change `bytes`.
    virtual void write(const Target& target, std::span<std::byte> bytes) = 0;
    /// The same for values that rank 0 alone has; the other ranks do nothing.
    virtual void write_from_root(const Target& target, std::span<std::byte> bytes) = 0;

    /// After the last rows of a variable.
    virtual void end_variable(int, std::int64_t) {}

    // Several whole records at once, in place of the four above.

    /// Where write_records() wants the values of each variable among so many records, and how many bytes they
    /// take in all.
    virtual std::vector<RecordPlace> places_among(std::int64_t records) const;
    virtual std::int64_t bytes_of_records(std::int64_t records) const;
    /// Records `first` and after it, of which each rank has those that the split gives it, possibly none; all
    /// that places_among() leaves is zero. `times` of all of them. Keeps a failure, as write() does. May
    /// change `bytes`.
    virtual void write_records(std::int64_t first, const RecordSplit& split, std::span<std::byte> bytes,
                               std::span<const double> times) = 0;
    int writers() const { return writers_; }  ///< ranks that write at the same time, at most

    /// Lets readers see `records` records.
    virtual void publish(std::int64_t records) = 0;
    /// Whether what was written can be read back before publish() (else only after it).
    virtual bool readable_before_publish() const = 0;
    // Only where publish() can show what is not there: checks that readers see so many records, and after a
    // check that failed lets them see so many as before.
    virtual void check_published(std::int64_t) {}
    virtual void withdraw(std::int64_t) {}

    virtual void close() = 0;
    /// Checks that the closed file holds `records` records.
    virtual void check_closed(std::int64_t records) = 0;

    const std::string& failure() const { return failure_; }  ///< empty: none so far
    void forget_failure() {
        failure_.clear();
        written_.clear();
    }
    std::vector<Written> take_written() {
        return std::exchange(written_, {});
    }                                        ///< by this rank, since the last call
    bool writes() const { return writes_; }  ///< whether this rank writes to the file

protected:
    /// Makes and defines the file at path_, which does not exist.
    virtual void create_unnamed(const std::map<std::string, std::string>& hints) = 0;

    /// One write call of this rank, with the hooks of the tests around it; notes `piece` for verification.
    /// `put` writes the first so many of the `units` it consists of, and throws RunFailure. `shared`: other
    /// ranks write at the same time. Not collective, does not throw.
    void attempt(Written piece, std::int64_t units, bool shared,
                 const std::function<void(std::int64_t)>& put);

    /// Keeps a RunFailure of `call` as that of this rank.
    void keep_failure(const std::function<void()>& call);

    /// Collective: hands every rank's rows, possibly none, to `take` on rank 0, one after another.
    void bring_to_root(const Target& target, std::span<std::byte> bytes,
                       const std::function<void(const Target&, std::span<std::byte>)>& take);

    /// Result of `read` on the file. A file that this run wrote and that cannot be read is a failure of the
    /// run, not a refusal.
    template <class F>
    static auto read_back(F&& read) {
        try {
            return read();
        } catch (const base::Refusal& refusal) {
            throw base::RunFailure(refusal.what());
        }
    }

    const Variable& variable_of(int number) const { return schema_.variables[number]; }
    std::string describe(const Target& target) const;  ///< "FILE: record 3, variable hs, rows 0 to 99"
    std::string place_of(const Target& target) const;  ///< the same without the file

    /// For reopen(), not collective. The attributes that an existing file of schema `found` must be given
    /// before it is continued: a second part of a run may end elsewhere (time_coverage_end), which the
    /// checksum of the header covers. Refusal when the file is of another kind, or its header is altered.
    std::vector<Attribute> to_be_moved(Schema found) const;
    /// Records of an existing file up to this time, `most` at most.
    std::int64_t records_until(const Reader& reader, double last_time, std::int64_t most) const;

    MPI_Comm comm_;
    int rank_ = 0, ranks_ = 1;
    std::string path_;
    Schema schema_;
    bool writes_ = true;
    int writers_ = 1;

private:
    TestHooks hooks_;
    std::string failure_;
    std::vector<Written> written_;
    std::vector<std::byte> incoming_;
};

/// `mode` as resolve_mode() returns it.
std::unique_ptr<Backend> make_backend(std::string_view mode, const Storage& storage, MPI_Comm comm,
                                      const std::string& path, const Schema& schema);

std::unique_ptr<Backend> make_netcdf_backend(MPI_Comm comm, const std::string& path, const Schema& schema);
std::unique_ptr<Backend> make_pnetcdf_backend(MPI_Comm comm, const std::string& path, const Schema& schema);
/// `together`: all ranks write, each its own rows; else rank 0 alone.
std::unique_ptr<Backend> make_hdf5_backend(MPI_Comm comm, const std::string& path, const Schema& schema,
                                           int compression, bool together);

/// Throws Refusal when netCDF-4 cannot hold this schema as it is: a variable of a dimension's name that is
/// not the coordinate of this dimension.
void check_hdf5_schema(const Schema& schema, std::string_view file);

/// Bytes that netCDF-4 adds to the values: chunks that are not full, and metadata of several records, one beside the other.
std::int64_t hdf5_extra_bytes(const Schema& schema, std::int64_t records, int compression);

}  // namespace groundswell::output
