#pragma once

#include <cstddef>

#include "groundswell/exec/array.hpp"
#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

/// Lanes that every row is padded to: one AVX-512 register of floats, so that no loop has a scalar tail.
inline constexpr int lane_multiple = 16;

inline constexpr int round_up(int value, int multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

/// `size` values of Real, rounded up to whole registers and set to `value`.
inline exec::Array<Real> make_lanes(int size, Real value = Real(0)) {
    exec::Array<Real> array(static_cast<std::size_t>(round_up(size, lane_multiple)));
    for (std::size_t i = 0; i < array.size(); ++i) array[i] = value;
    return array;
}

/// The spectral grid as the source terms use it: Real instead of double, rows of directions padded with
/// zeros to `lanes`, columns of frequencies padded to `frequency_lanes`. Immutable, shared by all terms.
struct LaneGrid {
    explicit LaneGrid(const SpectralGrid& grid)
        : frequencies(grid.frequencies),
          directions(grid.directions),
          lanes(round_up(grid.directions, lane_multiple)),
          frequency_lanes(round_up(grid.frequencies, lane_multiple)),
          ratio(grid.ratio),
          direction_width(static_cast<Real>(grid.direction_width)),
          frequency(make_lanes(grid.frequencies, Real(1))),
          sigma(make_lanes(grid.frequencies, Real(1))),
          width(make_lanes(grid.frequencies)),
          cosine(make_lanes(grid.directions)),
          sine(make_lanes(grid.directions)) {
        for (int i = 0; i < frequencies; ++i) {
            frequency[i] = static_cast<Real>(grid.frequency[i]);
            sigma[i] = static_cast<Real>(grid.sigma[i]);
            width[i] = static_cast<Real>(grid.frequency_width[i]);
        }
        for (int j = 0; j < directions; ++j) {
            cosine[j] = static_cast<Real>(grid.cosine[j]);
            sine[j] = static_cast<Real>(grid.sine[j]);
        }
    }

    int frequencies, directions;
    int lanes;                           ///< directions rounded up to a multiple of 16: the pitch of a row
    int frequency_lanes;                 ///< frequencies rounded up to a multiple of 16
    double ratio;                        ///< f_{i+1} / f_i
    Real direction_width;                ///< rad
    exec::Array<Real> frequency, sigma;  ///< [frequency_lanes] Hz, rad s⁻¹; 1 in the padding
    exec::Array<Real> width;             ///< [frequency_lanes] Hz; 0 in the padding
    exec::Array<Real> cosine, sine;      ///< [lanes]; 0 in the padding

    int bins() const { return frequencies * directions; }
    int padded_bins() const { return frequencies * lanes; }
};

}  // namespace groundswell::sea
