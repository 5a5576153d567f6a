#pragma once

#include <array>

#include "groundswell/sea/spectrum/products.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

inline constexpr int most_swells = 5;
/// A peak stands for a wave system of its own where the lowest bin on the best way to a higher one is lower than it by this share of
/// the spectrum's highest bin: the hundred levels of WAVEWATCH III's watershed.
inline constexpr double least_prominence = 0.01;
/// A system is wind sea where more than this share of its variance is (WAVEWATCH III's WSCUT); all such are one.
inline constexpr double wind_sea_share = 1.0 / 3.0;
/// Systems lower than this are left out, m (WAVEWATCH III's HSPMIN).
inline constexpr double lowest_system = 0.05;

/// Wave systems of a spectrum: [0] the wind sea, [1…most_swells] the swells, the highest first; variance 0 where there is none.
using WaveSystems = std::array<WavePart, 1 + most_swells>;

/// Catchments of the spectrum's peaks (Hanson & Phillips 2001, J. Atmos. Oceanic Technol. 18, 277): each bin belongs to the peak that
/// the steepest ascent from it, over the eight bins around, leads to. The f⁻⁵ tail goes with the bins of the last frequency.
WaveSystems find_wave_systems(const SpectralGrid& grid, const SpectrumInPlace& spectrum);

}  // namespace groundswell::sea
