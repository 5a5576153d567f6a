#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "groundswell/output/classic_header.hpp"
#include "groundswell/output/disk.hpp"
#include "groundswell/output/schema.hpp"
#include "groundswell/output/test_hooks.hpp"

/// How contiguous blocks reach a file: one implementation for each library. Used by File only.
namespace groundswell::output {

/// The one owner of netCDF, PnetCDF and HDF5 within a process: none of them may be entered by two threads.
/// Held for the length of one library call.
std::unique_lock<std::mutex> own_library();

/// Rows [first_row, first_row + rows) of one variable, of record `record` (-1: not a record variable).
struct Target {
    int variable = 0;  ///< index in the schema
    std::int64_t record = -1;
    std::int64_t first_row = 0, rows = 0;
};

class Backend {
public:
    Backend(MPI_Comm comm, std::string path, const Schema& schema);
    virtual ~Backend() = default;

    /// Collective: make and define the file, or open it for appending. RunFailure on all ranks together.
    virtual void create(const std::map<std::string, std::string>& hints) = 0;
    virtual void open(const std::map<std::string, std::string>& hints) = 0;

    /// Where the values lie in the file; must be given before the first write.
    void set_layout(ClassicHeader layout) { layout_ = std::move(layout); }
    const ClassicHeader& layout() const { return layout_; }

    /// Collective: each rank's own rows, possibly none. Does not throw: a failure is kept, later writes are
    /// skipped, and the ranks stay in step until they agree on it. May change `bytes`.
    virtual void write(const Target& target, std::span<std::byte> bytes) = 0;

    /// The same for values that rank 0 alone has; the other ranks do nothing.
    void write_from_root(const Target& target, std::span<std::byte> bytes);

    /// Collective: lets readers see `records` records. RunFailure on all ranks together.
    virtual void publish(std::int64_t records) = 0;

    /// Whether what was written can be read back before publish() (else only after it).
    virtual bool readable_before_publish() const = 0;

    /// Collective. RunFailure on all ranks together.
    virtual void close() = 0;

    const std::string& failure() const { return failure_; }  ///< empty: none so far
    void forget_failure() {
        failure_.clear();
        written_.clear();
    }
    std::vector<Written> take_written() {
        return std::exchange(written_, {});
    }                                        ///< by this rank, since the last call
    bool writes() const { return writes_; }  ///< whether this rank calls the library to write

protected:
    /// Writes from this rank, with the hooks of the tests around it, and notes it for verification.
    void write_here(const Target& target, std::span<std::byte> bytes);
    /// The lowest write call. Throws RunFailure.
    virtual void put(const Target& target, std::span<std::byte> bytes) = 0;

    std::string describe(const Target& target) const;  ///< "FILE: record 3, variable hs, rows 0 to 99"

    /// Corner and edge lengths of a target, with the record dimension where there is one.
    struct Slab {
        std::vector<std::int64_t> start, count;
    };
    Slab slab_of(const Target& target) const;

    MPI_Comm comm_;
    int rank_ = 0, ranks_ = 1;
    std::string path_;
    Schema schema_;
    bool writes_ = true;
    int writers_ = 1;

private:
    ClassicHeader layout_;
    TestHooks hooks_;
    std::string failure_;
    std::vector<Written> written_;
};

/// `mode` as resolve_mode() returns it.
std::unique_ptr<Backend> make_backend(std::string_view mode, MPI_Comm comm, const std::string& path,
                                      const Schema& schema);

std::unique_ptr<Backend> make_netcdf_backend(MPI_Comm comm, const std::string& path, const Schema& schema);
std::unique_ptr<Backend> make_pnetcdf_backend(MPI_Comm comm, const std::string& path, const Schema& schema);

}  // namespace groundswell::output
