#pragma once

namespace groundswell::sea {

/// Decay of energy along the way under ice, m⁻¹, by friction in the boundary layer of the water below it (Liu & Mollo-Christensen 1988,
/// J. Phys. Oceanogr. 18, 1702–1712; Liu, Holt & Vachon 1991, J. Geophys. Res. 96, 4605–4621, there on p. 4606):
///
///     α = √(ν σ) k / (√2 cg (1 + kM))
///     σ² = (g k + B k⁵)/(coth kd + kM),   cg = (g + (5 + 4kM) B k⁴)/(2 σ (1 + kM)²)
///
/// with the eddy viscosity ν (m² s⁻¹) of that layer, the ice's thickness h (m) in M = ρi h/ρw and in its stiffness B = E h³/(12 (1 −
/// p²) ρw). E = 6 GPa, p = 0.3 and ρi = 922.5 kg m⁻³ as Kohout & Meylan 2008 (J. Geophys. Res. 113, C09016) have them, ρw = 1025. Without
/// thickness there is no ice, and no decay. `sigma`: rad s⁻¹; `depth`: m.
double ice_decay_boundary_layer(double sigma, double depth, double thickness, double eddy_viscosity);

/// k of the second equation, rad m⁻¹.
double wave_number_under_ice(double sigma, double depth, double thickness);

}  // namespace groundswell::sea
