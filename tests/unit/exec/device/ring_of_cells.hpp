#pragma once

#include <array>
#include <memory>
#include <vector>

#include "groundswell/exec/device/device.hpp"

/// A small program as models are: cells in a ring, cut into two parts that each have a halo; in each step the halo is copied on one
/// stream and cells are smoothed on another. Any of ten mistakes can be made in it.
namespace groundswell::test {

inline const exec::DeviceLimits small_device{"small device", 64, 4096, 1 << 20};

enum class Mistake {
    none,
    missing_copy_back,
    missing_event,
    host_pointer,
    much_scratch,
    race_between_lanes,
    uninitialised_read,
    block_order,
    freed_memory,
    wrong_stream,
    forgotten_halo,
};

/// next = (left + 2 own + right)/4 · weight, shared out between neighbouring bins, plus a hundredth of the cell's sum.
struct SmoothCell {
    std::span<const float> old, weight;
    std::span<float> next;
    bool synced;

    constexpr void arrays(const auto& visit) const {
        visit(old);
        visit(weight);
        visit(next);
    }
    template <class Block>
    constexpr void operator()(Block& block) const {
        const int bins = static_cast<int>(weight.size()), own = (block.index() + 1) * bins;
        float* const mixed = block.template scratch<float>(weight.size());
        block.lanes(bins, [&](int bin) {
            const float* const at = old.data() + own + bin;
            mixed[bin] = 0.25F * (at[-bins] + 2 * at[0] + at[bins]) * weight[bin];
        });
        if (synced) block.sync();
        const auto shared = [&](int bin) { return 0.75F * mixed[bin] + 0.25F * mixed[(bin + 1) % bins]; };
        const float all = exec::sum<float, 8>(block, bins, shared);
        block.lanes(bins, [&](int bin) { next[own + bin] = shared(bin) + 0.01F * all; });
    }
};

class RingOfCells {
public:
    static constexpr int cells = 12, bins = 20, steps = 3, lanes = 16;
    static constexpr std::size_t scratch_bytes = bins * sizeof(float) + exec::sum_scratch<float, 8>;

    RingOfCells(exec::Device& device, Mistake mistake);
    /// The state after all steps: [part][cell][bin] of own cells.
    std::vector<float> run();

private:
    using Array = exec::DeviceArray<float>;
    struct Part {
        std::unique_ptr<Array> old, next;  ///< [cell of the halo, own cells, cell of the halo][bin]
    };
    void fill();
    void exchange_halos(int step);
    void smooth(Part& part);

    exec::Device& device_;
    const Mistake mistake_;
    exec::Stream compute_, exchange_;
    std::vector<float> start_, weight_values_;
    std::unique_ptr<Array> weight_;
    std::array<Part, 2> parts_;
};

}  // namespace groundswell::test
