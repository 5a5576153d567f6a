#pragma once

#include <cstdint>
#include <span>

#include "groundswell/exec/device/block.hpp"

/// Messages of a field on a device are put together there, and taken apart again: one block for an id.
namespace groundswell::halo {

/// Values of any type, all of which have multiples of 4 bytes.
using Word = std::uint32_t;

/// The values of one id that travel, in words: where they begin among the messages, and of each row the words from `first` on and
/// then those from the row's beginning (as RowRuns).
struct MessageRows {
    std::int64_t begin = 0;
    std::int32_t id = 0;  ///< local index
    std::int32_t first = 0, first_words = 0, second_words = 0;
};

/// Ids of a field that travel, and where their values lie.
struct TravellingIds {
    std::span<const MessageRows> of;  ///< [block]
    std::int64_t stride = 0;          ///< words from an id to the next
    std::int32_t rows = 0, row_words = 0;

    /// Calls body(place in the field, place among the messages) for each word of a block's id.
    template <class Block, class Body>
    constexpr void for_each_word(const Block& block, const Body& body) const {
        const MessageRows& here = of[block.index()];
        const std::int32_t words = here.first_words + here.second_words;
        block.lanes(rows * words, [&](int i) {
            const std::int32_t row = i / words, w = i % words;
            const std::int32_t in_row = w < here.first_words ? here.first + w : w - here.first_words;
            body(here.id * stride + std::int64_t{row} * row_words + in_row, here.begin + i);
        });
    }
};

struct GatherRows {
    std::span<const Word> field;
    std::span<Word> messages;
    TravellingIds ids;

    constexpr void arrays(const auto& visit) const {
        visit(field);
        visit(messages);
        visit(ids.of);
    }
    template <class Block>
    constexpr void operator()(Block& block) const {
        ids.for_each_word(block,
                          [&](std::int64_t in_field, std::int64_t at) { messages[at] = field[in_field]; });
    }
};

struct ScatterRows {
    std::span<Word> field;
    std::span<const Word> messages;
    TravellingIds ids;

    constexpr void arrays(const auto& visit) const {
        visit(field);
        visit(messages);
        visit(ids.of);
    }
    template <class Block>
    constexpr void operator()(Block& block) const {
        ids.for_each_word(block,
                          [&](std::int64_t in_field, std::int64_t at) { field[in_field] = messages[at]; });
    }
};

/// exec::Program::entry of these; null in a program that was built without CUDA.
const void* gather_rows_cuda_entry();
const void* scatter_rows_cuda_entry();

}  // namespace groundswell::halo
