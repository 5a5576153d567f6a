#pragma once

#include <cstddef>

#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/product_sums.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

/// One cell's spectrum with the water and the wind that it is in.
struct SpectrumInPlace {
    const Real* action = nullptr;       ///< layout of SpectralGrid
    const Real* wave_number = nullptr;  ///< [frequencies] rad m⁻¹
    const Real* group_speed = nullptr;  ///< [frequencies] m s⁻¹
    double depth = 0.0;                 ///< m, > 0
    double wind_speed = 0.0;            ///< m s⁻¹
    double wind_x = 1.0, wind_y = 0.0;  ///< unit vector that the wind blows along, from east and north
};

/// Wind sea or swell: a part of the bins of a spectrum.
struct WavePart {
    double variance = 0.0;     ///< m²
    double mean_period = 0.0;  ///< s, m0/m1
    double direction = 0.0;    ///< rad, the way waves travel TO
};

/// Integrals over a spectrum in its water, beyond those of SeaParameters. East and north are components. The f⁻⁵ tail beyond the
/// last frequency (deep water there) is part of each but the slope, whose tail has no end.
struct WaveProducts {
    /// Stokes drift at the surface, m s⁻¹: ∫∫ σk cosh 2kd/sinh² kd E (cos θ, sin θ) (Kenyon 1969, J. Geophys. Res. 74, 6991).
    double eastward_stokes_drift = 0.0, northward_stokes_drift = 0.0;
    /// Its integral over depth, m² s⁻¹: ∫∫ g k/σ E (cos θ, sin θ).
    double eastward_stokes_transport = 0.0, northward_stokes_transport = 0.0;
    double mean_square_slope = 0.0;  ///< ∫∫ k² E, of the resolved frequencies
    /// Energy flux, W m⁻¹: ρ g ∫∫ cg E (cos θ, sin θ).
    double eastward_energy_flux = 0.0, northward_energy_flux = 0.0;
    /// Radiation stress, N m⁻¹ (Longuet-Higgins & Stewart 1964, Deep-Sea Res. 11, 529), n = cg k/σ:
    /// ρ g ∫∫ (n cos² θ + n − ½) E; ρ g ∫∫ n sin θ cos θ E; ρ g ∫∫ (n sin² θ + n − ½) E.
    double radiation_stress_xx = 0.0, radiation_stress_xy = 0.0, radiation_stress_yy = 0.0;
    /// Root-mean-square orbital velocity at the bottom, m s⁻¹: √(∫∫ σ²/sinh² kd E).
    double bottom_orbital_velocity = 0.0;
    /// √(m0 m2/m1² − 1) (Longuet-Higgins 1975, J. Geophys. Res. 80, 2688); 0 in a calm.
    double spectral_width = 0.0;
    /// 2/m0² ∫ f E(f)² df (Goda 1970, Report of the Port and Harbour Research Institute 9); 0 in a calm.
    double peakedness = 0.0;
    WavePart wind_sea, swell;
};

/// All of them, in one pass over the bins.
WaveProducts integrate_products(const SpectralGrid& grid, const SpectrumInPlace& spectrum);

/// It in two steps, of which a device can take sum_products(): what that is handed, and what follows from it.
WindOnWaves wind_on(const SpectrumInPlace& spectrum);
WavesInWater waves_in(const SpectrumInPlace& spectrum, std::size_t frequency);
WaveProducts wave_products(const ProductSums& sums);
WavePart wave_part(const PartSums& sums);

/// Components of a velocity, m s⁻¹.
struct Drift {
    double east = 0.0, north = 0.0;
};

/// Stokes drift so far below the surface, 0 ≤ `below` ≤ depth, m: ∫∫ σk cosh 2k(d − below)/sinh² kd E (cos θ, sin θ) (Kenyon 1969,
/// J. Geophys. Res. 74, 6991), and of the f⁻⁵ tail beyond the last frequency, in deep water,
/// 2 σ k f E (e^(−a) − √(πa) erfc √a), a = 2k·below, of that frequency (Breivik, Janssen & Bidlot 2014, J. Phys. Oceanogr. 44, 2433).
Drift stokes_drift(const SpectralGrid& grid, const SpectrumInPlace& spectrum, double below);

}  // namespace groundswell::sea
