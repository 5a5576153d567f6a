// A rank's part made of the rows of its cells: cells with all that a rank keeps of them, on their way from the
// rank that read them to those that hold them.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/key_index.hpp"
#include "groundswell/base/make_unique.hpp"
#include "groundswell/mesh/part.hpp"

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

/// Grows the halo around the cells that a rank owns and puts all in the order of a Part. What the mesh keeps
/// of its cells is then filled in from rows(), cell by cell in order().
template <class Head, class Side>
class Assembly {
public:
    /// Gives the cells with these keys (ascending), in any order; called once for every ring of halo, on
    /// every rank.
    using Source = std::function<Rows<Head, Side>(std::span<const std::int64_t> keys)>;

    Assembly(Rows<Head, Side> owned, const Source& source, int layers, int groups = 1)
        : rows_(std::move(owned)), owned_(rows_.heads.size()) {
        GS_ASSERT(layers >= 1 && groups >= 1);
        part_.layers = layers;
        part_.groups.resize(groups);
        take_in(0);
        for (int layer = 0; layer < layers; ++layer) add_ring(source, layer == 0 ? 0 : ring_begin_);
        order_cells();
    }

    /// But for what it says of the whole mesh.
    const Part& part() const { return part_; }

    const Rows<Head, Side>& rows() const { return rows_; }
    /// Cells of rows() in local order: [total].
    const std::vector<std::int32_t>& order() const { return order_; }
    std::span<const Side> sides_of(std::int32_t cell) const {
        return std::span(rows_.sides).subspan(first_side_[cell], rows_.heads[cell].sides);
    }
    /// The local cell beyond a side, or `nothing`, or `absent`.
    std::int32_t beyond(const Side& side) const {
        if (side.neighbour == nothing) return nothing;
        const std::int32_t other = index_(side.neighbour);
        return other < 0 ? absent : number_[other];
    }
    /// Sides of all cells that are owned.
    std::int64_t owned_sides() const { return first_side_[owned_]; }

private:
    /// The cells from `begin` on.
    void take_in(std::size_t begin) {
        index_.reserve(rows_.heads.size());
        for (std::size_t c = begin; c < rows_.heads.size(); ++c)
            index_.add(rows_.heads[c].key, static_cast<std::int32_t>(c));
        first_side_ = first_sides(rows_);
    }

    /// The cells beyond those from `begin` on that are not held yet.
    void add_ring(const Source& source, std::size_t begin) {
        std::vector<std::int64_t> wanted;
        for (std::size_t j = static_cast<std::size_t>(first_side_[begin]); j < rows_.sides.size(); ++j) {
            const std::int64_t key = rows_.sides[j].neighbour;
            if (key != nothing && index_(key) < 0) wanted.push_back(key);
        }
        base::make_unique(wanted);
        ring_begin_ = rows_.heads.size();
        rows_.append(source(wanted));
        GS_ASSERT(rows_.heads.size() == ring_begin_ + wanted.size());
        take_in(ring_begin_);
    }

    /// Owned cells with a halo cell within `layers` rings.
    std::vector<char> find_rim() const {
        std::vector<char> near(rows_.heads.size(), 0);  // a halo cell, or one of the rings found so far
        std::fill(near.begin() + static_cast<std::ptrdiff_t>(owned_), near.end(), 1);
        for (int layer = 0; layer < part_.layers; ++layer) {
            const std::vector<char> before = near;
            for (std::size_t c = 0; c < owned_; ++c) {
                for (const Side& side : sides_of(static_cast<std::int32_t>(c))) {
                    // Around an owned cell all is held.
                    if (side.neighbour != nothing && before[index_(side.neighbour)]) near[c] = 1;
                }
            }
        }
        near.resize(owned_);
        return near;
    }

    void order_cells() {
        const std::vector<char> rim = find_rim();
        // Owned cells go by rim, halo cells by owner, after their group and before their id.
        std::vector<std::tuple<std::int32_t, std::int32_t, std::int64_t, std::int32_t>> places;
        places.reserve(rows_.heads.size());
        for (std::size_t c = 0; c < rows_.heads.size(); ++c) {
            const Head& head = rows_.heads[c];
            GS_ASSERT(group_of(head) >= 0 && static_cast<std::size_t>(group_of(head)) < part_.groups.size());
            places.emplace_back(group_of(head), c < owned_ ? rim[c] : head.owner, head.id,
                                static_cast<std::int32_t>(c));
        }
        const auto halo = places.begin() + static_cast<std::ptrdiff_t>(owned_);
        std::sort(places.begin(), halo);
        std::sort(halo, places.end());
        number_.resize(places.size());
        for (const auto& place : places) {
            const std::int32_t cell = std::get<3>(place);
            number_[cell] = static_cast<std::int32_t>(order_.size());
            order_.push_back(cell);
            part_.id.push_back(rows_.heads[cell].id);
            part_.owner.push_back(rows_.heads[cell].owner);
        }
        part_.owned = static_cast<std::int32_t>(owned_);
        part_.total = static_cast<std::int32_t>(places.size());
        find_groups(rim);
    }

    void find_groups(const std::vector<char>& rim) {
        std::int32_t owned = 0, halo = part_.owned;
        for (std::size_t g = 0; g < part_.groups.size(); ++g) {
            const auto count = [&](std::int32_t from, std::int32_t to, auto belongs) {
                while (from < to && group_of(rows_.heads[order_[from]]) == static_cast<std::int32_t>(g) &&
                       belongs(order_[from]))
                    ++from;
                return from;
            };
            CellGroup& group = part_.groups[g];
            group.interior = {owned, count(owned, part_.owned, [&](std::int32_t c) { return !rim[c]; })};
            owned = count(group.interior.end, part_.owned, [](std::int32_t) { return true; });
            group.rim = {group.interior.end, owned};
            group.halo = {halo, count(halo, part_.total, [](std::int32_t) { return true; })};
            halo = group.halo.end;
        }
        GS_ASSERT(owned == part_.owned && halo == part_.total);
    }

    Rows<Head, Side> rows_;
    std::size_t owned_, ring_begin_ = 0;
    base::KeyIndex index_;  // cell of each key
    std::vector<std::int64_t> first_side_;
    std::vector<std::int32_t> order_;   // cells in the order of the part
    std::vector<std::int32_t> number_;  // place of each cell in that order
    Part part_;
};

}  // namespace groundswell::mesh
