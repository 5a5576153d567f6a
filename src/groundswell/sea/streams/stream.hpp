#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/output/dataset.hpp"
#include "groundswell/output/schema.hpp"
#include "groundswell/sea/model.hpp"

namespace groundswell::sea {

/// One file whose records are appended at fixed intervals.
struct Stream {
    std::string path;
    base::Duration every;
    output::Schema schema;
    std::optional<output::Dataset> file;

    virtual ~Stream() = default;
    virtual void write_fixed(const Model& model) = 0;
    /// Bytes of values in a record on this rank.
    virtual std::int64_t record_bytes(const Model& model) const = 0;
    /// The values of a record; they stay valid until the next call.
    virtual std::vector<output::Values> record(const Model& model) = 0;
};

}  // namespace groundswell::sea
