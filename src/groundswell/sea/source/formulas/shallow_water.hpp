#pragma once

namespace groundswell::sea {

/// The share Q of breakers among waves with (Hrms/Hm)² = `height_ratio_square`: (1 - Q)/ln Q = -(Hrms/Hm)²; 1 from 1 upward
/// (Battjes & Janssen 1978, doi:10.1061/9780872621909.034).
double breaking_share(double height_ratio_square);

/// R(¾ k̄d), R(x) = 1 + 5.5/x (1 - 5x/6) exp(-5x/4): what four-wave interactions are scaled by in water of `depth` metres
/// (Hasselmann et al. 1985, after Herterich & Hasselmann 1980). k̄ in rad m⁻¹.
double four_wave_depth_factor(double mean_wave_number, double depth);

}  // namespace groundswell::sea
