#pragma once

#include <mpi.h>

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/disk/disk.hpp"
#include "groundswell/output/file.hpp"
#include "groundswell/output/formats/backend.hpp"
#include "groundswell/output/formats/whole_records.hpp"
#include "groundswell/output/rearranger.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::output {

/// Parts of a File, and the way of its values to the ranks that write them.
struct File::Implementation {
    Implementation(MPI_Comm comm_, std::string path_, Schema schema_, std::string mode_,
                   const Storage& storage)
        : comm(comm_),
          path(std::move(path_)),
          schema(std::move(schema_)),
          mode(std::move(mode_)),
          whole(comm_) {
        backend = parallel::agree(comm, [&] { return make_backend(mode, storage, comm, path, schema); });
    }

    MPI_Comm comm;
    int rank = parallel::rank_of(comm), ranks = parallel::size_of(comm);
    std::string path;
    Schema schema;
    std::string mode;
    std::unique_ptr<Backend> backend;
    Rearranger rearranger;
    WholeRecords whole;
    std::vector<std::byte> whole_buffer;
    std::int64_t records = 0, bytes_written = 0;
    double seconds = 0.0;
    std::set<std::string> missing;  // variables without record dimension that nobody has written yet
    std::string failed;             // the first failure; nothing is written after it
    bool closed = false;

    int index_of(const std::string& variable) const {
        const Variable* found = schema.find(variable);
        if (!found) throw base::Defect(fmt::format("{}: no variable {}", path, variable));
        return static_cast<int>(found - schema.variables.data());
    }

    /// Our caller's side of the contract, checked before any value travels. `number`: of records.
    void check_values(const Values& values, bool record, std::int64_t number) const;

    /// The values of a `number` of records: each record variable once, but for the coordinate.
    void check_record(std::span<const Values> values, std::int64_t number) const;

    /// One variable, each rank its block of rows. `number`: which of the records that `values` hold.
    void write(const Values& values, std::int64_t record, std::int64_t number = 0);

    /// Records, one after another.
    void write_rows(std::span<const double> times, std::span<const Values> values);

    /// Records, each as a whole by one rank: as many ranks as have a megabyte or so to write.
    void write_whole(std::span<const double> times, std::span<const Values> values);

    /// Runs `body`, a sequence in which all ranks fail together; remembers the failure.
    template <class F>
    void guarded(F&& body) {
        const parallel::Stopwatch watch(seconds);
        parallel::agree(comm, [&] {
            if (!failed.empty()) throw base::RunFailure(failed);
            if (closed) throw base::Defect(path + ": written after close");
        });
        try {
            body();
        } catch (const base::RunFailure& error) {
            failed = error.what();
            throw;
        }
    }

    void flush() {
        parallel::agree(comm, [&] {
            if (backend->writes()) output::flush(path);
        });
    }

    void agree_on_writes(bool verify_now, const std::string& what) {
        parallel::agree(comm, [&] {
            if (!backend->failure().empty()) throw base::RunFailure(backend->failure());
            if (verify_now) verify(path, backend->take_written(), what);
        });
    }
};

}  // namespace groundswell::output
