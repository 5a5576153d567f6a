#pragma once

#include "groundswell/sea/spectrum/products.hpp"

namespace groundswell::sea {

/// Components of a velocity, m s⁻¹.
struct Drift {
    double east = 0.0, north = 0.0;
};

/// Stokes drift so far below the surface, 0 ≤ `below` ≤ depth, m: ∫∫ σk cosh 2k(d − below)/sinh² kd E (cos θ, sin θ) (Kenyon 1969,
/// J. Geophys. Res. 74, 6991), and of the f⁻⁵ tail beyond the last frequency, in deep water,
/// 2 σ k f E (e^(−a) − √(πa) erfc √a), a = 2k·below, of that frequency (Breivik, Janssen & Bidlot 2014, J. Phys. Oceanogr. 44, 2433).
Drift stokes_drift(const SpectralGrid& grid, const SpectrumInPlace& spectrum, double below);

}  // namespace groundswell::sea
