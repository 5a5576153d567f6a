#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/output/dataset.hpp"
#include "groundswell/output/schema.hpp"

namespace groundswell::simulation {

/// One output file of a model, whose records are appended at fixed intervals. Its functions are called on all
/// ranks together, at the end of a cycle.
class Stream {
public:
    /// `file`: a name in the output folder. `schema`: with a record dimension and a variable `time` of it.
    Stream(std::string file, base::Duration every, output::Schema schema)
        : file_(std::move(file)), every_(every), schema_(std::move(schema)) {}
    virtual ~Stream() = default;
    Stream& operator=(Stream&&) = delete;  // neither copied nor moved

    const std::string& file() const { return file_; }
    base::Duration every() const { return every_; }
    const output::Schema& schema() const { return schema_; }

    /// Writes what does not change with time, once, when the file is new.
    virtual void write_fixed(output::Dataset& file) = 0;
    /// Bytes of values in a record on this rank.
    virtual std::int64_t record_bytes() const = 0;
    /// The values of a record, of the state as it is now; they stay valid until the next call.
    virtual std::vector<output::Values> record() = 0;
    /// For a model with a step of its own: the values of so many records from number `first` on, whose times lie within
    /// the step just made, one record's after the other; they stay valid until the next step.
    virtual std::vector<output::Values> records(std::int64_t /*first*/, std::int64_t /*count*/) {
        return record();
    }

    /// Text of a file beside this one that tells other programs where the values of its records, of these times, are in an
    /// HDF5 file (XDMF); empty: there is none. Not collective.
    virtual std::string companion(std::span<const double> /*times*/) const { return {}; }

private:
    std::string file_;
    base::Duration every_;
    output::Schema schema_;
};

}  // namespace groundswell::simulation
