#include "groundswell/halo/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::halo {

namespace {

using parallel::check;

// A run is a few dozen bytes long and there is one in each of some dozen rows, so a call of memcpy per row,
// which must find out about the length again and again, costs more than the copy. Here the length picks one
// loop for all rows. `blocks` pieces of a constant size cover a run; the last ends where the run ends and may
// overlap the one before: no byte outside the run is read or written.
template <std::size_t block, std::size_t blocks>
void copy_rows(std::byte* __restrict to, std::size_t to_step, const std::byte* __restrict from,
               std::size_t from_step, std::size_t rows, std::size_t bytes) {
    const std::size_t last = bytes - block;
    for (std::size_t row = 0; row < rows; ++row, to += to_step, from += from_step) {
        for (std::size_t b = 0; b + 1 < blocks; ++b) std::memcpy(to + b * block, from + b * block, block);
        std::memcpy(to + last, from + last, block);
    }
}

void copy_rows(std::byte* to, std::size_t to_step, const std::byte* from, std::size_t from_step,
               std::size_t rows, std::size_t bytes) {
    using Copy = void (*)(std::byte*, std::size_t, const std::byte*, std::size_t, std::size_t, std::size_t);
    constexpr std::size_t wide = 32;
    constexpr std::array<Copy, 10> wide_copies = {
        &copy_rows<wide, 1>, &copy_rows<wide, 2>,  &copy_rows<wide, 3>, &copy_rows<wide, 4>,
        &copy_rows<wide, 5>, &copy_rows<wide, 6>,  &copy_rows<wide, 7>, &copy_rows<wide, 8>,
        &copy_rows<wide, 9>, &copy_rows<wide, 10>,
    };
    if (bytes >= wide && (bytes - 1) / wide < wide_copies.size()) {
        wide_copies[(bytes - 1) / wide](to, to_step, from, from_step, rows, bytes);
    } else if (bytes >= 16 && bytes < wide) {
        copy_rows<16, 2>(to, to_step, from, from_step, rows, bytes);
    } else if (bytes >= 8 && bytes < wide) {
        copy_rows<8, 2>(to, to_step, from, from_step, rows, bytes);
    } else if (bytes >= 4 && bytes < wide) {
        copy_rows<4, 2>(to, to_step, from, from_step, rows, bytes);
    } else if (bytes > 0) {
        for (std::size_t row = 0; row < rows; ++row, to += to_step, from += from_step)
            std::memcpy(to, from, bytes);
    }
}

// Bytes of a value, rows, values of a row.
using Shape = std::array<std::int64_t, 3>;

Shape shape_of(const Selection& selection) {
    return {static_cast<std::int64_t>(selection.value_bytes), selection.rows, selection.row_values};
}

std::string describe(const Shape& shape) {
    return fmt::format("{} rows of {} values of {} bytes", shape[1], shape[2], shape[0]);
}

void require_usable(const Plan& plan, const Selection& selection, std::size_t block_bytes) {
    const std::string shape = describe(shape_of(selection));
    const bool positive = selection.value_bytes > 0 && selection.rows > 0 && selection.row_values > 0;
    base::require(positive, "halo", "selection", shape, "at least one of each");
    const std::size_t row_bytes = selection.value_bytes * static_cast<std::size_t>(selection.row_values);
    base::require(static_cast<std::size_t>(selection.rows) * row_bytes == block_bytes &&
                      row_bytes <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()),
                  "halo", "selection", shape, fmt::format("the {} bytes of an id", block_bytes));
    base::require(selection.needed.size() == static_cast<std::size_t>(plan.needed()), "halo", "selection",
                  fmt::format("{} ranges", selection.needed.size()),
                  fmt::format("one for each of the {} needed ids", plan.needed()));
    for (std::size_t q = 0; q < selection.needed.size(); ++q) {
        const RowRange range = selection.needed[q];
        base::require(
            range.first >= 0 && range.first < selection.row_values && range.count >= 0 &&
                range.count <= selection.row_values,
            "halo", fmt::format("selection of needed id {}", q),
            fmt::format("{} values from {}", range.count, range.first),
            fmt::format("at most {0} values from 0 to {1}", selection.row_values, selection.row_values - 1));
    }
}

/// The shape that all ranks with a selection share; zeros where no rank has one. Collective.
Shape common_shape(MPI_Comm comm, const Selection* selection) {
    // The largest of the sizes and of their negatives: the smallest come along in the same message.
    constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();
    std::array<std::int64_t, 6> sizes;
    sizes.fill(none);
    if (selection != nullptr) {
        const Shape mine = shape_of(*selection);
        for (std::size_t i = 0; i < mine.size(); ++i) {
            sizes[i] = mine[i];
            sizes[i + 3] = -mine[i];
        }
    }
    check(
        MPI_Allreduce(MPI_IN_PLACE, sizes.data(), static_cast<int>(sizes.size()), MPI_INT64_T, MPI_MAX, comm),
        "agree on a selection");
    if (sizes[0] == none) return {};
    const Shape largest{sizes[0], sizes[1], sizes[2]};
    const Shape smallest{-sizes[3], -sizes[4], -sizes[5]};
    if (largest != smallest) {
        // Every rank has seen the same, so that all throw; agreeing lets one of them speak.
        parallel::agree(comm, [&] {
            base::refuse("halo", "selection",
                         describe(smallest) + " on one rank, " + describe(largest) + " on another",
                         "the same on all ranks");
        });
    }
    return largest;
}

RowRuns runs_of(const RowRange& range, std::int32_t row_values, std::int32_t value_bytes) {
    if (range.count == row_values) return {0, row_values * value_bytes, 0};
    const std::int32_t until_end = std::min(range.count, row_values - range.first);
    return {range.first * value_bytes, until_end * value_bytes, (range.count - until_end) * value_bytes};
}

static_assert(sizeof(RowRange) == 2 * sizeof(int), "travels as MPI_2INT");

}  // namespace

std::byte* SelectedRows::gather(std::byte* message, const std::byte* block, const RowRuns& runs) const {
    if (is_whole(runs)) {
        std::memcpy(message, block, block_bytes());
    } else {
        copy_rows(message, runs.bytes(), block + runs.first, row_bytes, rows,
                  static_cast<std::size_t>(runs.first_bytes));
        copy_rows(message + runs.first_bytes, runs.bytes(), block, row_bytes, rows,
                  static_cast<std::size_t>(runs.second_bytes));
    }
    return message + message_bytes(runs);
}

const std::byte* SelectedRows::scatter(std::byte* block, const std::byte* message,
                                       const RowRuns& runs) const {
    if (is_whole(runs)) {
        std::memcpy(block, message, block_bytes());
    } else {
        copy_rows(block + runs.first, row_bytes, message, runs.bytes(), rows,
                  static_cast<std::size_t>(runs.first_bytes));
        copy_rows(block, row_bytes, message + runs.first_bytes, runs.bytes(), rows,
                  static_cast<std::size_t>(runs.second_bytes));
    }
    return message + message_bytes(runs);
}

void SelectedRows::copy(std::byte* to_block, const std::byte* from_block, const RowRuns& runs) const {
    if (is_whole(runs)) {
        std::memcpy(to_block, from_block, block_bytes());
    } else {
        copy_rows(to_block + runs.first, row_bytes, from_block + runs.first, row_bytes, rows,
                  static_cast<std::size_t>(runs.first_bytes));
        copy_rows(to_block, row_bytes, from_block, row_bytes, rows,
                  static_cast<std::size_t>(runs.second_bytes));
    }
}

std::optional<SelectedRows> agree_on_selection(const Plan& plan, const Selection* selection,
                                               std::size_t block_bytes) {
    parallel::agree(plan.comm(), [&] {
        if (selection != nullptr) require_usable(plan, *selection, block_bytes);
    });
    const Shape shape = common_shape(plan.comm(), selection);
    if (shape[0] == 0) return {};
    const auto value_bytes = static_cast<std::int32_t>(shape[0]);
    const auto row_values = static_cast<std::int32_t>(shape[2]);

    std::vector<RowRange> received(plan.unpack_position().size(), RowRange{0, row_values});
    std::vector<RowRange> sent(plan.pack_index().size());
    bool partial = false;
    for (std::size_t i = 0; i < received.size() && selection != nullptr; ++i) {
        received[i] = selection->needed[plan.unpack_position()[i]];
        partial = partial || received[i].count < row_values;
    }
    if (parallel::max(plan.comm(), static_cast<std::int64_t>(partial)) == 0) return {};

    const auto comm = parallel::Communicator::duplicate(plan.comm());
    std::vector<MPI_Request> requests;
    for (const Link& link : plan.destinations()) {
        check(MPI_Irecv(sent.data() + link.first, link.count, MPI_2INT, link.rank, 0, comm.get(),
                        &requests.emplace_back()),
              "hear which values are wanted");
    }
    for (const Link& link : plan.sources()) {
        check(MPI_Isend(received.data() + link.first, link.count, MPI_2INT, link.rank, 0, comm.get(),
                        &requests.emplace_back()),
              "tell which values are wanted");
    }
    check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
          "agree on a selection");

    SelectedRows rows;
    rows.rows = static_cast<std::size_t>(shape[1]);
    rows.row_bytes = static_cast<std::size_t>(shape[2] * shape[0]);
    for (const RowRange& range : sent) rows.sent.push_back(runs_of(range, row_values, value_bytes));
    for (const RowRange& range : received) rows.received.push_back(runs_of(range, row_values, value_bytes));
    return rows;
}

}  // namespace groundswell::halo
