#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "groundswell/output/decomposition.hpp"
#include "groundswell/output/reader.hpp"
#include "groundswell/parallel/read_cost.hpp"

namespace groundswell::output {

/// Reads a variable (of record `record`, if it has a record dimension) whose rows are spread over ranks: each
/// rank reads contiguous rows of the file, a piece at a time, and they go to the ranks that own them. Row i
/// of `values`, counted as the decomposition's `owned`, begins at value i · stride. `file` is each rank's
/// own. Throws base::Refusal on all ranks where a row cannot be read on any, or where the values are not
/// those of the checksum that the file has of them. Returns what it cost this rank. Collective over the
/// decomposition's communicator.
template <class T>
parallel::ReadCost read_distributed(const Reader& file, std::string_view variable, const Decomposition& rows,
                                    Rearranger& rearranger, std::span<T> values, std::int64_t stride = 1,
                                    std::int64_t record = 0);

}  // namespace groundswell::output
