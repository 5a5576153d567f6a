#pragma once

#include <cstdint>
#include <span>

#include "groundswell/exec/device/block.hpp"
#include "groundswell/sea/clusters/seen.hpp"
#include "groundswell/sea/real.hpp"

namespace groundswell::sea {

/// As ClusterWork::set_images(), one block for an image.
struct ImageStep {
    static constexpr int most_lanes = 128, blocks_at_once = 7;

    std::span<const Real> from;            ///< [cell][stride]
    std::span<Real> to;                    ///< likewise, of images
    std::span<const std::int32_t> source;  ///< [block] cells
    std::span<const Real> profiles;        ///< [block][3][stride]; second order
    std::span<const Real> ratio;           ///< [cell][frequency_stride]
    std::int32_t first;                    ///< image of the first block
    int stride, bins, directions, frequency_stride;
    Seen seen;

    constexpr void arrays(const auto& visit) const {
        visit(from);
        visit(to);
        visit(source);
        if (!profiles.empty()) visit(profiles);
        visit(ratio);
    }
    template <class Block>
    constexpr void operator()(Block& block) const {
        using enum Seen;
        const std::int64_t cell = source[block.index()], row = stride;
        const Real* const now = from.data() + cell * row;
        Real* const image = to.data() + (first + block.index()) * row;
        if (seen == at_half_time) {
            const Real* const m = profiles.data() + block.index() * 3 * row;
            const Real* const ratios = ratio.data() + cell * frequency_stride;
            block.lanes(bins, [&](int bin) { image[bin] = m[bin] / ratios[bin / directions]; });
        } else {
            block.lanes(stride, [&](int bin) {
                image[bin] = seen == as_it_is ? now[bin]
                             : seen == half   ? Real(0.5) * now[bin]
                                              : image[bin] + Real(0.5) * now[bin];
            });
        }
    }
};

/// exec::Program::entry of ImageStep; null in a program that was built without CUDA.
const void* image_cuda_entry();

}  // namespace groundswell::sea
