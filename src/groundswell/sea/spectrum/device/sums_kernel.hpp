#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "groundswell/exec/device/block.hpp"
#include "groundswell/sea/spectrum/product_sums.hpp"
#include "groundswell/sea/spectrum/sums.hpp"
#include "groundswell/sea/spectrum/system_sums.hpp"

namespace groundswell::sea {

/// SpectrumMoments of cells, one block for a cell: a lane adds up the row of a frequency, and one of them adds up the rows.
struct MomentStep {
    // Limits of CUDA that leave 144 registers for a lane; rows are few.
    static constexpr int most_lanes = 64, blocks_at_once = 7;

    SumAxes axes;
    std::span<const Real> action;        ///< [cell][stride]
    std::span<SpectrumMoments> moments;  ///< [cell]
    int stride;

    constexpr void arrays(const auto& visit) const {
        axes.arrays(visit);
        visit(action);
        visit(moments);
    }
    std::size_t scratch_bytes(int /*lanes*/) const { return axes.frequency.size() * sizeof(FrequencyRow); }

    template <class Block>
    constexpr void operator()(Block& block) const {
        const Real* const bins = action.data() + block.index() * static_cast<std::int64_t>(stride);
        FrequencyRow* const rows =
            block.template scratch<FrequencyRow>(static_cast<std::size_t>(axes.frequencies()));
        block.lanes(axes.frequencies(), [&](int i) { rows[i] = frequency_row(axes, bins, i); });
        block.sync();
        block.lanes(1, [&](int) {
            moments[static_cast<std::size_t>(block.index())] =
                sum_moments(axes, [&](int i) { return rows[i]; });
        });
    }
};

/// ∫ E dθ of each frequency, as MomentStep.
struct DensityStep {
    static constexpr int most_lanes = MomentStep::most_lanes, blocks_at_once = MomentStep::blocks_at_once;

    SumAxes axes;
    std::span<const Real> action;  ///< [cell][stride]
    std::span<double> density;     ///< [cell][frequency] m² s
    int stride;

    constexpr void arrays(const auto& visit) const {
        axes.arrays(visit);
        visit(action);
        visit(density);
    }
    static std::size_t scratch_bytes(int /*lanes*/) { return 0; }

    template <class Block>
    constexpr void operator()(Block& block) const {
        const Real* const bins = action.data() + block.index() * static_cast<std::int64_t>(stride);
        double* const to = density.data() + static_cast<std::int64_t>(block.index()) * axes.frequencies();
        block.lanes(axes.frequencies(), [&](int i) { to[i] = frequency_row(axes, bins, i).energy; });
    }
};

/// Spectra in the water and the wind that they are in, for one block a cell.
struct SpectraInPlace {
    SumAxes axes;
    std::span<const Real> action;         ///< [cell][stride]
    std::span<const WindOnWaves> wind;    ///< [cell]
    std::span<const WavesInWater> waves;  ///< [cell][frequency]
    int stride;

    constexpr void arrays(const auto& visit) const {
        axes.arrays(visit);
        visit(action);
        visit(wind);
        visit(waves);
    }
    constexpr const Real* bins(std::int64_t cell) const { return action.data() + cell * stride; }
    constexpr const WavesInWater* waves_of(std::int64_t cell) const {
        return waves.data() + cell * axes.frequencies();
    }
};

/// ProductSums of cells, as MomentStep.
struct ProductStep : SpectraInPlace {
    static constexpr int most_lanes = MomentStep::most_lanes, blocks_at_once = MomentStep::blocks_at_once;

    std::span<ProductSums> products;  ///< [cell]

    constexpr void arrays(const auto& visit) const {
        SpectraInPlace::arrays(visit);
        visit(products);
    }
    std::size_t scratch_bytes(int /*lanes*/) const { return axes.frequency.size() * sizeof(Harmonics); }

    template <class Block>
    constexpr void operator()(Block& block) const {
        const auto cell = static_cast<std::size_t>(block.index());
        const Real* const spectrum = bins(block.index());
        const WavesInWater* const here = waves_of(block.index());
        const WindOnWaves over = wind[cell];
        Harmonics* const rows =
            block.template scratch<Harmonics>(static_cast<std::size_t>(axes.frequencies()));
        block.lanes(axes.frequencies(),
                    [&](int i) { rows[i] = harmonics_of(axes, spectrum, i, over, here[i].wave_number); });
        block.sync();
        block.lanes(1, [&](int) {
            products[cell] = sum_products(
                axes, [&](int i) { return rows[i]; }, [&](int i) { return here[i]; });
        });
    }
};

/// SystemSums of cells, as MomentStep.
struct SystemStep : SpectraInPlace {
    static constexpr int most_lanes = MomentStep::most_lanes, blocks_at_once = MomentStep::blocks_at_once;

    std::span<SystemSums> systems;  ///< [cell]

    constexpr void arrays(const auto& visit) const {
        SpectraInPlace::arrays(visit);
        visit(systems);
    }
    std::size_t scratch_bytes(int lanes) const { return SystemSearch::scratch_bytes(axes, lanes); }

    template <class Block>
    constexpr void operator()(Block& block) const {
        const auto cell = static_cast<std::size_t>(block.index());
        const WavesInWater* const here = waves_of(block.index());
        SystemSearch search(block, axes);
        const SystemSums& found =
            search.find(block, bins(block.index()), wind[cell], [&](int i) { return here[i].wave_number; });
        block.lanes(1, [&](int) { systems[cell] = found; });
    }
};

/// exec::Program::entry of each; null in a program that was built without CUDA.
const void* moments_cuda_entry();
const void* densities_cuda_entry();
const void* products_cuda_entry();
const void* systems_cuda_entry();

}  // namespace groundswell::sea
