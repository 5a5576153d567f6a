#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "groundswell/output/file.hpp"
#include "groundswell/output/options.hpp"

/// The output of a run: what a model calls. One sequence of calls in every mode (define, put, end of record),
/// the same bytes in the files; the modes differ in who writes, and when.
///
///     direct    all ranks write together, in the caller's time
///     serial    one rank writes, in the caller's time
///     thread    a thread of each rank writes; needs MPI_THREAD_MULTIPLE
///     servers   other ranks write (servers.hpp)
///     auto      direct, and from the second record on thread, if that is measured to pay (threads_pay in writers/way.hpp)
///
/// While an Output in mode thread or auto lives, the process must write files through it only.
namespace groundswell::output {

struct Roles;

class Output;

/// A file of an Output. Cheap to copy; must not outlive its Output. Every function is collective over the
/// ranks that compute, returns when the values are copied, sent or written, and throws on all ranks together
/// what a writer met in any earlier call: RunFailure with file, variable, record and the system's words.
class Dataset {
public:
    /// One variable without record dimension.
    void write_fixed(const Values& values);
    /// All record variables but the coordinate, which gets `time`.
    void append_record(double time, std::span<const Values> values);
    /// As many records as there are times, at once: see File::append_records().
    void append_records(std::span<const double> times, std::span<const Values> values);
    /// Nothing can be written afterwards. A file made by replace() gets its name now, when all of it was
    /// found on the disk, and what other files have was flushed to the device. Then the files `older`, oldest
    /// first, are removed, but for the newest `keep` of those that exist.
    void close(const std::vector<std::string>& older = {}, int keep = 0);

private:
    friend class Output;
    Dataset(Output& output, std::int32_t number, std::shared_ptr<const Schema> schema, std::string path)
        : output_(&output), number_(number), schema_(std::move(schema)), path_(std::move(path)) {}

    Output* output_;
    std::int32_t number_;
    std::shared_ptr<const Schema> schema_;
    std::string path_, final_path_;
    bool checksums_ = false;
};

enum class Announced { record, file };

class Output {
public:
    /// Collective over `comm`, the ranks that compute. `roles`: of split_roles(), for mode servers. Refusal
    /// when there is no such mode, or it cannot work here: says what to change.
    Output(MPI_Comm comm, const OutputOptions& options, const Roles* roles = nullptr);
    /// Without finish() or abandon() before: waits for nothing, and what still waits is lost.
    ~Output();
    Output& operator=(Output&&) = delete;  // neither copied nor moved

    /// Says before the start that there will be records for `path`, or whole files by replace(), with so many
    /// bytes of values on this rank: the default bound of the buffer has room for two records of each, and
    /// for one whole file. Refusal when a given bound is smaller than a record (a whole file goes through a
    /// smaller buffer variable by variable). Collective.
    void announce(const std::string& path, std::int64_t bytes, Announced what = Announced::record);

    /// Collective. As File::create and File::reopen, whose errors come with a later call (settle() brings
    /// them at once).
    Dataset create(const std::string& path, const Schema& schema, bool overwrite = false);
    Dataset reopen(const std::string& path, const Schema& schema, double last_time);

    /// Collective. A file that appears under its name when it is whole, in the place of any other; until
    /// then it is PATH.part. `checksums`: it has them even where the options ask for none.
    Dataset replace(const std::string& path, const Schema& schema, bool checksums = false);

    /// Collective. Returns when everything handed over is on the disk, or throws what kept it from there.
    void settle();

    /// Collective. Closes what is open, waits for everything and throws the first error there was.
    void finish();

    /// Collective. The same without an exception: for the way out after an error that all ranks share.
    void abandon() noexcept;

    OutputReport report() const;

private:
    friend class Dataset;
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace groundswell::output
