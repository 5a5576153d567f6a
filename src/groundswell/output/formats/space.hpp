#pragma once

#include <cstdint>
#include <string>

#include "groundswell/output/schema.hpp"
#include "groundswell/output/storage.hpp"

/// Questions to ask before the first step. Not collective: ask on one rank, inside parallel::agree.
namespace groundswell::output {

/// Bytes that a file of this schema takes with `records` records; never less than the file will have. What
/// compression will save is not known, and not counted on.
std::int64_t required_bytes(const Schema& schema, std::int64_t records, const Storage& storage = {});

/// Refusal when the file system of `folder` has less than `bytes` free for this user.
void check_space(const std::string& folder, std::int64_t bytes);

}  // namespace groundswell::output
