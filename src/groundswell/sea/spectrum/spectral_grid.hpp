#pragma once

#include <cstddef>
#include <vector>

namespace groundswell::sea {

/// The (frequency, direction) grid of one cell's spectrum. Immutable.
///
/// Bin (i, j): frequency f_i = first_frequency · ratio^i, i = 0…frequencies-1; direction θ_j = j ·
/// 2π/directions, j = 0…directions-1, the direction waves travel TO, counter-clockwise from the cell's east.
/// A cell's block stores bin (i, j) at i·directions + j (direction fastest, rows not padded) and occupies
/// `stride()` values: the bins rounded up to a multiple of four, so that blocks start on 16-byte boundaries
/// and a whole block is what a message carries.
struct SpectralGrid {
    int frequencies = 0;
    int directions = 0;
    double first_frequency = 0.0;  ///< Hz
    double ratio = 0.0;            ///< f_{i+1}/f_i, > 1

    std::vector<double> frequency;        ///< [frequencies] Hz
    std::vector<double> sigma;            ///< [frequencies] rad s⁻¹, 2πf
    std::vector<double> frequency_width;  ///< [frequencies] Hz; Σ width = last − first: trapezoidal rule
    std::vector<double> direction;        ///< [directions] rad
    std::vector<double> cosine, sine;     ///< [directions] of direction
    double direction_width = 0.0;         ///< rad, 2π/directions

    SpectralGrid() = default;
    /// Ranges are the caller's to check (the case file does): frequencies ≥ 3, directions ≥ 4, ratio > 1,
    /// first_frequency > 0; otherwise a Defect.
    SpectralGrid(int frequencies, int directions, double first_frequency, double ratio);

    int bins() const { return frequencies * directions; }
    std::size_t stride() const { return static_cast<std::size_t>((bins() + 3) / 4 * 4); }
    int index(int i, int j) const { return i * directions + j; }
};

}  // namespace groundswell::sea
