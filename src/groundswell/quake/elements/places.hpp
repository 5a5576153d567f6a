#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace groundswell::quake {

/// Where elements lie in batches: in blocks that are computed on by themselves, each of whole batches.
class BatchPlaces {
public:
    /// `parts`: elements in each part of each block, of which no two share a batch, `in_block` to a block; `lanes`: elements in a
    /// batch.
    BatchPlaces(std::span<const std::int32_t> parts, int lanes, std::size_t in_block = 1)
        : lanes_(lanes), batch_begin_{0} {
        std::int32_t batch = 0;
        for (std::size_t part = 0; part < parts.size(); ++part) {
            for (std::int32_t e = 0; e < parts[part]; ++e) {
                if (e % lanes == 0) element_begin_.push_back(static_cast<std::int32_t>(lane_.size()));
                lane_.push_back(batch * lanes + e);
            }
            batch += (parts[part] + lanes - 1) / lanes;
            if (part % in_block + 1 == in_block) batch_begin_.push_back(batch);
        }
        element_begin_.push_back(static_cast<std::int32_t>(lane_.size()));
    }

    std::int32_t elements() const { return static_cast<std::int32_t>(lane_.size()); }
    std::int32_t batches() const { return batch_begin_.back(); }
    std::int32_t batch_begin(int block) const { return batch_begin_[block]; }
    std::int32_t batch_end(int block) const { return batch_begin_[block + 1]; }

    /// The first element of a batch; that of the next one ends it.
    std::int32_t element_begin(std::int32_t batch) const { return element_begin_[batch]; }

    std::int32_t elements_of(int block) const {
        return element_begin_[batch_end(block)] - element_begin_[batch_begin(block)];
    }

    std::int32_t batch(std::int32_t element) const { return lane_[element] / lanes_; }
    int lane(std::int32_t element) const { return lane_[element] % lanes_; }

    /// The side of an element's face; and of a block the first one, and the one behind its last. Lanes without an
    /// element have sides too.
    std::int32_t side(std::int32_t element, int face) const {
        return (batch(element) * 4 + face) * lanes_ + lane(element);
    }
    std::int32_t sides_begin(int block) const { return batch_begin(block) * 4 * lanes_; }
    std::int32_t sides_end(int block) const { return batch_end(block) * 4 * lanes_; }
    std::int32_t sides() const { return batches() * 4 * lanes_; }

private:
    int lanes_;
    std::vector<std::int32_t> batch_begin_;    // [block], and the end
    std::vector<std::int32_t> lane_;           // [element] counted through all batches
    std::vector<std::int32_t> element_begin_;  // [batch], and the end
};

}  // namespace groundswell::quake
