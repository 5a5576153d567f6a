#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "groundswell/output/schema.hpp"

/// Checksums that travel with the data: one for each variable (and each record of a record variable), stored
/// in the same file, so that anyone can find out later whether a file still holds what was computed.
///
/// A row is a position along the variable's first dimension (after the record dimension; a scalar has one
/// row), or along another one, which the checksum's attribute `row_dimension` then names: its rows in all
/// segments (RowShape) count one after another. Its hash depends on its number and its values; the checksum of a variable is the sum of its rows'
/// hashes modulo 2^64. So ranks add up what they own, in any order and any number.
namespace groundswell::output {

/// Sum of the hashes of consecutive rows, `first_row` being the number of the first. `values` holds whole
/// rows of `row_bytes`, each value of `value_bytes` in this machine's order.
std::uint64_t rows_checksum(std::int64_t first_row, std::span<const std::byte> values,
                            std::int64_t row_bytes);

/// Name of the variable that holds the checksum of `variable`: NAME_checksum, of type int64, with the record
/// dimension alone (or none).
std::string checksum_name(std::string_view variable);

/// The attribute of a checksum that names the dimension of its rows, where that is not the first.
inline constexpr const char* row_dimension_name = "row_dimension";

/// Numbering of the rows that this checksum of `variable` is made of.
RowShape checked_rows(const Schema& schema, const Variable& variable, const Variable& checksum);

/// The variable whose checksum `name` holds; empty when it is no such name in this schema.
std::string_view checked_variable(const Schema& schema, std::string_view name);

/// The global attribute that holds the checksum of the header, of type int64.
inline constexpr const char* header_checksum_name = "header_checksum";

/// Sum of the hashes of all dimensions, variables and attributes, in whatever order they stand. Attributes
/// that tell how and when a file was made (is_provenance) do not count, nor does the checksum itself.
std::int64_t header_checksum(const Schema& schema);

/// Whether names, types, dimensions and attributes are those of the checksum that stands among them; empty
/// when there is none.
std::optional<bool> is_header_true(const Schema& schema);

/// The schema with a checksum variable for each variable it has, after all others, and the checksum of it
/// all.
Schema with_checksums(const Schema& schema);

}  // namespace groundswell::output
