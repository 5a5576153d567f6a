// Cells with all that a rank keeps of them, on their way from the rank that read them to those that hold them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "groundswell/base/errors.hpp"

namespace groundswell::mesh {

/// Cells in any order; the sides of one after those of the other. What a mesh keeps of a cell is its own
/// affair, but for these members:
///
///     Head: std::int64_t key        what neighbours call the cell: its row in the mesh file, say
///           std::int64_t id         0, 1, … over the whole mesh
///           std::int32_t owner      rank
///           std::int32_t sides      how many
///           std::int32_t group      where the mesh has several groups (part.hpp)
///     Side: std::int64_t neighbour  key of the cell beyond, or `nothing`
template <class Head, class Side>
struct Rows {
    static_assert(std::is_trivially_copyable_v<Head> && std::is_trivially_copyable_v<Side>);

    std::vector<Head> heads;
    std::vector<Side> sides;

    void append(const Rows& more) {
        heads.insert(heads.end(), more.heads.begin(), more.heads.end());
        sides.insert(sides.end(), more.sides.begin(), more.sides.end());
    }
};

template <class Head>
std::int32_t group_of(const Head& head) {
    if constexpr (requires { head.group; }) {
        return head.group;
    } else {
        return 0;
    }
}

/// First side of each cell: [cells + 1].
template <class Head, class Side>
std::vector<std::int64_t> first_sides(const Rows<Head, Side>& rows) {
    std::vector<std::int64_t> first{0};
    first.reserve(rows.heads.size() + 1);
    for (const Head& head : rows.heads) first.push_back(first.back() + head.sides);
    return first;
}

/// Bytes that a cell takes when it is packed.
template <class Head, class Side>
std::size_t packed_size(const Rows<Head, Side>& rows, std::int32_t cell) {
    return sizeof(Head) + static_cast<std::size_t>(rows.heads[cell].sides) * sizeof(Side);
}

/// The bytes of some cells; and back, added to `rows`.
template <class Head, class Side>
std::vector<std::byte> pack(const Rows<Head, Side>& rows, std::span<const std::int32_t> cells,
                            std::span<const std::int64_t> first_side) {
    std::size_t size = 0;
    for (const std::int32_t c : cells) size += packed_size(rows, c);
    std::vector<std::byte> bytes(size);
    std::byte* to = bytes.data();
    for (const std::int32_t c : cells) {
        const std::size_t sides = packed_size(rows, c) - sizeof(Head);
        std::memcpy(to, &rows.heads[c], sizeof(Head));
        std::memcpy(to + sizeof(Head), rows.sides.data() + first_side[c], sides);
        to += sizeof(Head) + sides;
    }
    return bytes;
}

template <class Head, class Side>
void unpack(std::span<const std::byte> bytes, Rows<Head, Side>& rows) {
    while (!bytes.empty()) {
        GS_ASSERT(bytes.size() >= sizeof(Head));
        Head& head = rows.heads.emplace_back();
        std::memcpy(&head, bytes.data(), sizeof(Head));
        bytes = bytes.subspan(sizeof(Head));
        const auto sides = static_cast<std::size_t>(head.sides);
        GS_ASSERT(bytes.size() >= sides * sizeof(Side));
        const std::size_t before = rows.sides.size();
        rows.sides.resize(before + sides);
        std::memcpy(rows.sides.data() + before, bytes.data(), sides * sizeof(Side));
        bytes = bytes.subspan(sides * sizeof(Side));
    }
}

}  // namespace groundswell::mesh
