#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "groundswell/output/options.hpp"
#include "groundswell/output/schema.hpp"
#include "groundswell/output/storage.hpp"

/// A request of a model to its output, one call after another, in a form that can wait in a queue or travel to
/// another rank. Every rank makes the same jobs in the same order; the writers run them in that order.
namespace groundswell::output {

/// Options of the writers.
struct WriterOptions {
    std::string backend = "auto";  ///< direct, serial, or auto: direct where the build has PnetCDF
    OnError on_error = OnError::stop;
    double first_pause = 1.0;     ///< s, before the first repetition; each further one is twice as long
    double longest_wait = 600.0;  ///< s, of all pauses for one write together
};

enum class JobKind : std::int32_t {
    begin,          // options for the jobs to come
    decomposition,  // who owns which rows
    create,
    reopen,
    fixed,
    record,  // one or several
    close,   // and take the final name, and remove older files
    finish,  // close what is still open; nothing comes afterwards
    leave    // a server may end
};

/// The values of one variable that this rank has.
struct VariablePart {
    std::int32_t variable = 0;        ///< index in the schema
    std::int32_t decomposition = -1;  ///< number of its job; -1: rank 0's values are the whole array
    std::int64_t rows = 0;            ///< owned by this rank; of a whole array: all on rank 0, none elsewhere
    std::int64_t groups = 1;          ///< of so many rows each: segments of all records
    std::int64_t row_bytes = 0, stride_bytes = 0;
    const std::byte* data = nullptr;
    std::vector<std::uint64_t> checksums;  ///< of the rows here (checksum.hpp), for each record; may be none

    std::int64_t bytes() const { return groups * rows * row_bytes; }
};

struct Job {
    JobKind kind = JobKind::finish;
    std::int32_t file = -1;                         ///< number of the dataset, or of the decomposition
    std::int64_t rows = 0;                          // decomposition: global
    std::vector<std::int64_t> owned = {};           // decomposition
    std::string path = {};                          // create, reopen; close: the final name if it is another
    bool overwrite = false;                         // create
    bool replaces = false;                          // create: in the middle of a run, by Output::replace()
    bool checksums = false;                         // create, reopen
    Storage file_storage = {};                      // create, reopen
    double time = 0.0;                              // reopen: the last to keep
    std::vector<double> times = {};                 // record: of one record or several
    std::shared_ptr<const Schema> schema = {};      // create, reopen
    std::map<std::string, std::string> hints = {};  // create, reopen
    std::vector<std::string> older = {};            // close: files, oldest first, of which some are removed
    std::int64_t keep = 0;                          // close: so many of them stay
    std::vector<VariablePart> parts = {};           // fixed, record
    /// Where the parts' values lie, unless they are the caller's. Memory that is there already is used again.
    std::vector<std::byte> storage = {};
    WriterOptions options = {};  // begin; last: GCC 12 warns where a member behind it can throw

    /// Bytes of values in the parts.
    std::int64_t value_bytes() const;
    /// Copies the values of the parts into the job's own storage, without the padding between rows.
    void keep_values();
    /// The same job from a rank that owns nothing.
    Job without_values() const;
    /// "record of 86400 s in yagi.nc", for people.
    std::string describe(const std::string& file_path) const;
};

/// A job as a message, with its values; `memory` may be used for it.
std::vector<std::byte> to_message(const Job& job, std::vector<std::byte> memory = {});
/// About as long as that message, of a job with many values.
std::int64_t message_bytes(const Job& job);

/// The same job as several ranks gave it, put together as if one rank owned all their rows, in the order of
/// the messages. Of a whole array the values of the one message that has them are taken.
/// `memory` may be used for its values.
Job from_messages(const std::vector<std::vector<std::byte>>& messages, std::vector<std::byte> memory = {});

}  // namespace groundswell::output
