#pragma once

namespace groundswell::sea {

/// Decay of energy along the way under broken ice, m⁻¹: E(x) = E(0) exp(-α x) with α = a f² + b f⁴, f in Hz (Meylan, Bennetts &
/// Kohout 2014, Geophys. Res. Lett. 41, 5046–5051, doi:10.1002/2014GL060809, eq. 3, fitted to waves in the Antarctic marginal ice zone: a =
/// 2.12e-3, b = 4.59e-2).
inline double ice_decay_power_law(double frequency, double per_square, double per_fourth) {
    const double square = frequency * frequency;
    return (per_square + per_fourth * square) * square;
}

}  // namespace groundswell::sea
