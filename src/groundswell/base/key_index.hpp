// Where the things with given keys stand. Used where cells, edges and vertices go by their row in a file.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace groundswell::base {

/// A hash table with open addressing (D. E. Knuth, The Art of Computer Programming 3, section 6.4) from keys
/// to places.
class KeyIndex {
public:
    /// Makes room for so many keys in all.
    void reserve(std::size_t keys) {
        if (2 * keys + 2 <= slots_.size()) return;
        const std::vector<Slot> old = std::move(slots_);
        slots_.assign(std::bit_ceil(2 * keys + 2), Slot{});
        shift_ = 64 - std::countr_zero(slots_.size());
        for (const Slot& slot : old)
            if (slot.place >= 0) slots_[slot_of(slot.key)] = slot;
    }

    /// There must be room; the key must be new.
    void add(std::int64_t key, std::int32_t place) { slots_[slot_of(key)] = {key, place}; }

    /// -1 where nothing has the key.
    std::int32_t operator()(std::int64_t key) const {
        return slots_.empty() ? -1 : slots_[slot_of(key)].place;
    }

private:
    struct Slot {
        std::int64_t key = 0;
        std::int32_t place = -1;
    };
    /// Position of the key, or where it belongs.
    std::size_t slot_of(std::int64_t key) const {
        std::size_t slot = (static_cast<std::uint64_t>(key) * 0x9e3779b97f4a7c15u) >> shift_;
        while (slots_[slot].place >= 0 && slots_[slot].key != key) slot = (slot + 1) & (slots_.size() - 1);
        return slot;
    }

    std::vector<Slot> slots_;
    int shift_ = 0;
};

}  // namespace groundswell::base
