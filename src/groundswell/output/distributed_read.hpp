#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "groundswell/output/reader.hpp"
#include "groundswell/output/rearranger.hpp"
#include "groundswell/parallel/read_cost.hpp"

namespace groundswell::output {

/// Reads a variable (of record `record`, if it has a record dimension) whose rows are spread over ranks: each
/// rank reads contiguous rows of the file, a piece at a time, and they go to the ranks that own them. Row i
/// of `values`, counted as the decomposition's `owned`, begins at value i · stride. `file` is each rank's
/// own. Rows stand along `dimension`, or without it along the first one after the record dimension; of a
/// dimension behind others the values of all own rows in the first segment (RowShape) come first, then those in
/// the second, as File writes them. Converts to T: std::int32_t, std::int64_t, float, double. Throws
/// base::Refusal on all ranks where a row cannot be read on any, or where the values are not those of the
/// checksum that the file has of them. Returns what it cost this rank. Collective over the decomposition's
/// communicator.
template <class T>
parallel::ReadCost read_distributed(const Reader& file, std::string_view variable, const Decomposition& rows,
                                    Rearranger& rearranger, std::span<T> values, std::int64_t stride = 1,
                                    std::int64_t record = 0, std::string_view dimension = {});

}  // namespace groundswell::output
