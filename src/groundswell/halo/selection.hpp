#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "groundswell/halo/plan.hpp"
#include "groundswell/halo/row_range.hpp"

namespace groundswell::halo {

/// Selection of the values a rank wants of the ids that it needs, where less than whole blocks will do. The block of an id is
/// `rows` rows of `row_values` values of `value_bytes` bytes; of every row of needed id q only the range
/// needed[q] is wanted, the same in each row. What is not wanted is not written.
struct Selection {
    std::size_t value_bytes = 0;
    std::int32_t rows = 0;
    std::int32_t row_values = 0;
    std::vector<RowRange> needed;  // [plan.needed()]
};

/// The wanted bytes of each row of one id's block: `first_bytes` from `first` on, then `second_bytes` from
/// the row's beginning. A whole row has first = 0 and second_bytes = 0.
struct RowRuns {
    std::int32_t first = 0;
    std::int32_t first_bytes = 0;
    std::int32_t second_bytes = 0;

    std::size_t bytes() const {
        return static_cast<std::size_t>(first_bytes) + static_cast<std::size_t>(second_bytes);
    }
};

/// Values wanted of each id that this rank sends and receives, in the order of the plan's pack_index() and
/// unpack_position(). In a message the wanted values of an id stand without gaps, row after row.
struct SelectedRows {
    std::size_t rows = 0;
    std::size_t row_bytes = 0;
    std::vector<RowRuns> sent, received;

    std::size_t block_bytes() const { return rows * row_bytes; }
    bool is_whole(const RowRuns& runs) const {
        return static_cast<std::size_t>(runs.first_bytes) == row_bytes;
    }
    std::size_t message_bytes(const RowRuns& runs) const { return rows * runs.bytes(); }

    /// From a block to a message; returns where the message goes on.
    std::byte* gather(std::byte* message, const std::byte* block, const RowRuns& runs) const;
    /// From a message to a block; returns where the message goes on.
    const std::byte* scatter(std::byte* block, const std::byte* message, const RowRuns& runs) const;
    /// From one block to another.
    void copy(std::byte* to_block, const std::byte* from_block, const RowRuns& runs) const;
};

/// Tells the owners what this rank wants (`selection` null: whole blocks), and hears what the others want of
/// it. Nothing comes back where no rank has a selection, or every wish is for whole blocks. Throws
/// base::Refusal on all ranks if a range or the number of ranges is wrong, a block is not of `block_bytes`,
/// or two ranks' selections differ in rows or values. Collective over plan.comm().
std::optional<SelectedRows> agree_on_selection(const Plan& plan, const Selection* selection,
                                               std::size_t block_bytes);

}  // namespace groundswell::halo
