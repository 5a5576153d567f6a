#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "groundswell/exec/array.hpp"
#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

/// Lanes that every row is padded to: one AVX-512 register of floats, so that no loop has a scalar tail.
inline constexpr int lane_multiple = 16;

constexpr int round_up(int value, int multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

/// `size` values of Real, rounded up to whole registers and set to `value`.
inline exec::Array<Real> make_lanes(int size, Real value = Real(0)) {
    exec::Array<Real> array(static_cast<std::size_t>(round_up(size, lane_multiple)));
    for (std::size_t i = 0; i < array.size(); ++i) array[i] = value;
    return array;
}

/// The spectral grid as the source terms use it: Real instead of double, rows of directions padded with
/// zeros to `lanes`, columns of frequencies padded to `frequency_lanes`.
struct LaneTables {
    int frequencies = 0, directions = 0;
    int lanes = 0;             ///< directions rounded up to a multiple of 16: the pitch of a row
    int frequency_lanes = 0;   ///< frequencies rounded up to a multiple of 16
    double ratio = 0;          ///< f_{i+1} / f_i
    Real direction_width = 0;  ///< rad
    std::span<const Real> frequency, sigma;  ///< [frequency_lanes] Hz, rad s⁻¹; 1 in the padding
    std::span<const Real> width;             ///< [frequency_lanes] Hz; 0 in the padding
    std::span<const Real> cosine, sine;      ///< [lanes]; 0 in the padding

    constexpr int bins() const { return frequencies * directions; }
    constexpr int padded_bins() const { return frequencies * lanes; }

    /// Visits the spans of `tables`, constant or not.
    static constexpr void arrays(auto& tables, const auto& visit) {
        visit(tables.frequency);
        visit(tables.sigma);
        visit(tables.width);
        visit(tables.cosine);
        visit(tables.sine);
    }
};

/// The same with the memory that it needs. Immutable, shared by all terms.
class LaneGrid : public LaneTables {
public:
    explicit LaneGrid(const SpectralGrid& grid)
        : frequency_(make_lanes(grid.frequencies, Real(1))),
          sigma_(make_lanes(grid.frequencies, Real(1))),
          width_(make_lanes(grid.frequencies)),
          cosine_(make_lanes(grid.directions)),
          sine_(make_lanes(grid.directions)) {
        frequencies = grid.frequencies;
        directions = grid.directions;
        lanes = round_up(grid.directions, lane_multiple);
        frequency_lanes = round_up(grid.frequencies, lane_multiple);
        ratio = grid.ratio;
        direction_width = static_cast<Real>(grid.direction_width);
        const auto fill = [](std::span<const Real>& table, exec::Array<Real>& memory,
                             const std::vector<double>& values) {
            for (std::size_t i = 0; i < values.size(); ++i) memory[i] = static_cast<Real>(values[i]);
            table = memory.span();
        };
        fill(frequency, frequency_, grid.frequency);
        fill(sigma, sigma_, grid.sigma);
        fill(width, width_, grid.frequency_width);
        fill(cosine, cosine_, grid.cosine);
        fill(sine, sine_, grid.sine);
    }
    LaneGrid(const LaneGrid&) = delete;
    LaneGrid& operator=(const LaneGrid&) = delete;

private:
    exec::Array<Real> frequency_, sigma_, width_, cosine_, sine_;
};

}  // namespace groundswell::sea
