#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/quake/device/look.hpp"

namespace groundswell::quake {

/// Sides that LookOnDevice looks at, in the memory of a device.
class SidesLookedAt {
public:
    struct Side {
        std::int32_t batch, element;  ///< of elements; which of these
        std::int32_t table, written;  ///< see SideLooks::Side
        std::array<double, 3> normal;
    };
    /// `tables`: entries of matrices of so many rows, by rows; `sides`: of each block of elements, by batches.
    SidesLookedAt(exec::Device& device, exec::Stream stream,
                  std::span<const std::span<const TraceEntry>> tables, int rows,
                  std::span<const std::vector<Side>> sides);

    /// A block's, and which batches that are; the caller says where what is seen goes.
    SideLooks of(int block) const;
    std::span<const std::int32_t> batches(int block) const {
        return std::span(batches_).subspan(first_[block], first_[block + 1] - first_[block]);
    }

private:
    struct Numbers;
    SidesLookedAt(exec::Device& device, exec::Stream stream, const Numbers& numbers);

    std::vector<std::int32_t> first_;  // [block], and the end, among the batches of all
    std::vector<std::int32_t> batches_;
    exec::DeviceArray<std::int32_t> batch_, begin_, row_;
    exec::DeviceArray<SideLooks::Side> side_;
    exec::DeviceArray<double> normal_;
    exec::DeviceArray<TraceEntry> trace_;
    mutable exec::DeviceArray<double> nowhere_;
    exec::DeviceArray<SeaView::Face> no_faces_;
};

}  // namespace groundswell::quake
