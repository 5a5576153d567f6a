#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "groundswell/base/errors.hpp"

/// A device as its kernels see it. A kernel is a trivially copyable class, whose members are numbers and
/// `std::span`s of device memory, with
///
///     constexpr void arrays(const auto& visit) const;                 // calls visit(span) for each of the spans
///     template <class Block> constexpr void operator()(Block& block) const;
///
/// The latter does the work of one block (one cell, or one batch of elements) and knows no thread. `constexpr` tells the compilers
/// of devices that they may have the function as well. All lanes of a block call it, and go through the same calls of sync().
namespace groundswell::exec {

/// The block of the back ends that run on the processor: the same members as that of CUDA (cuda/block.cuh).
class Block {
public:
    /// Waits until so many neighbouring lanes have called it, 0: all of the block. `of`: what the back end knows the lanes by;
    /// `handed`: 8 bytes for each lane, to hand numbers over.
    struct Barrier {
        void (*wait)(void* of, int group) = nullptr;
        void* of = nullptr;
        std::byte* handed = nullptr;
    };
    Block(int index, int lane, int lanes, std::span<std::byte> scratch, Barrier barrier)
        : index_(index), lane_(lane), lanes_(lanes), scratch_(scratch), barrier_(barrier) {}

    /// Number of the block in its launch, from 0.
    int index() const { return index_; }
    int lane() const { return lane_; }
    int lane_count() const { return lanes_; }
    /// Deals out body(i), 0 ≤ i < n, to the lanes, in no order. What one of them writes, others see after sync().
    template <class Body>
    void lanes(int n, const Body& body) const {
        for (int i = lane_; i < n; i += lanes_) body(i);
    }
    /// All lanes of the block have come here.
    void sync() const {
        if (barrier_.wait != nullptr) barrier_.wait(barrier_.of, 0);
    }
    /// All `group` neighbours have come here: those whose numbers agree but for the remainder by it, a power of 2 up to 32.
    void sync_group(int group) const { barrier_.wait(barrier_.of, group); }
    /// The value that the lane has whose number differs by the bit `across`; all `group` neighbours call it.
    template <class T>
    T from_neighbour(T value, int across, int group) const {
        static_assert(sizeof(T) <= handed_bytes);
        const auto place = [&](int lane) {
            return barrier_.handed + static_cast<std::size_t>(lane) * handed_bytes;
        };
        std::memcpy(place(lane_), &value, sizeof value);
        sync_group(group);
        std::memcpy(&value, place(lane_ ^ across), sizeof value);
        sync_group(group);
        return value;
    }
    static constexpr std::size_t handed_bytes = 8;
    /// Makes a number of the device's memory, which all blocks share, at most `value`.
    static void lower(std::int32_t& number, std::int32_t value) {
        const std::atomic_ref<std::int32_t> shared(number);
        std::int32_t known = shared.load();
        while (value < known && !shared.compare_exchange_weak(known, value)) {
        }
    }
    /// `n` numbers of the memory that the lanes share, of which the launch asked for enough; not initialised.
    template <class T>
    T* scratch(std::size_t n) {
        const std::size_t begin = (used_ + alignof(T) - 1) / alignof(T) * alignof(T);
        if (begin + n * sizeof(T) > scratch_.size())
            throw base::Defect("a block takes more scratch than its launch asked for");
        used_ = begin + n * sizeof(T);
        return reinterpret_cast<T*>(scratch_.data() + begin);
    }

private:
    int index_, lane_, lanes_;
    std::size_t used_ = 0;
    std::span<std::byte> scratch_;
    Barrier barrier_;
};

/// Counts the bytes of scratch that are asked of a block of so many lanes; there is no memory behind it.
class ScratchCount {
public:
    explicit ScratchCount(int lanes) : lanes_(lanes) {}
    static int lane() { return 0; }
    int lane_count() const { return lanes_; }
    template <class T>
    T* scratch(std::size_t n) {
        bytes_ = (bytes_ + alignof(T) - 1) / alignof(T) * alignof(T) + n * sizeof(T);
        return reinterpret_cast<T*>(this);  // nobody looks there
    }
    std::size_t bytes() const { return bytes_; }

private:
    int lanes_;
    std::size_t bytes_ = 0;
};

/// Scratch that sum() takes, in bytes.
template <class T, int parts>
inline constexpr std::size_t sum_scratch = parts * sizeof(T) + alignof(T);

/// Σ body(i), 0 ≤ i < n, for every lane. The order, and so the rounding, depends on no back end and no number of lanes: of
/// every `parts`-th number from the first on, then of these sums by halves. `parts`: a power of 2.
template <class T, int parts, class Block, class Body>
constexpr T sum(Block& block, int n, const Body& body) {
    T* const part = block.template scratch<T>(parts);
    block.lanes(parts, [&](int p) {
        T all = 0;
        for (int i = p; i < n; i += parts) all += body(i);
        part[p] = all;
    });
    for (int half = parts / 2; half > 0; half /= 2) {
        block.sync();
        block.lanes(half, [&](int p) { part[p] += part[p + half]; });
    }
    block.sync();
    return part[0];
}

}  // namespace groundswell::exec
