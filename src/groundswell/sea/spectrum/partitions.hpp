#pragma once

#include <array>

#include "groundswell/sea/spectrum/products.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"
#include "groundswell/sea/spectrum/system_sums.hpp"

namespace groundswell::sea {

/// Wave systems of a spectrum: [0] the wind sea, [1…most_swells] the swells, the highest first; variance 0 where there is none.
using WaveSystems = std::array<WavePart, 1 + most_swells>;

/// Catchments of the spectrum's peaks (Hanson & Phillips 2001, J. Atmos. Oceanic Technol. 18, 277): each bin belongs to the peak that
/// the steepest ascent from it, over the eight bins around, leads to. The f⁻⁵ tail goes with the bins of the last frequency.
WaveSystems find_wave_systems(const SpectralGrid& grid, const SpectrumInPlace& spectrum);

/// It in two steps, of which a device can take SystemSearch::find(): what follows from its sums.
WaveSystems wave_systems(const SystemSums& sums);

}  // namespace groundswell::sea
