#include "groundswell/sea/source/formulas/shallow_water.hpp"

#include <algorithm>
#include <cmath>

namespace groundswell::sea {

double breaking_share(double height_ratio_square) {
    if (height_ratio_square >= 1.0) return 1.0;
    if (height_ratio_square < 0.04) return 0.0;  // Q < e^-25
    // Q = exp(-(1 - Q)/b²) has the root 1 too; Newton from below finds the smaller one, monotonically.
    const double inverse = 1.0 / height_ratio_square;
    double share = exec::lanes::exp(-inverse);
    for (int iteration = 0; iteration < 50; ++iteration) {
        const double e = exec::lanes::exp(-inverse * (1.0 - share));
        const double change = (e - share) / (1.0 - inverse * e);
        share += change;
        if (std::abs(change) <= 1e-9 * share) break;
    }
    return share < 1.0 ? share : 1.0;
}

double four_wave_depth_factor(double mean_wave_number, double depth) {
    const double x = std::max(0.75 * mean_wave_number * depth, 0.5);
    if (x > 40.0) return 1.0;
    return 1.0 + 5.5 / x * (1.0 - 5.0 / 6.0 * x) * std::exp(-1.25 * x);
}

void add_bottom_decay(const LaneGrid& grid, const SeaCell& sea, Real scale, Real* decay) {
    const Real* __restrict wave_number = sea.wave_number;
    Real* __restrict rate = decay;
    const Real depth = sea.depth;
    if (wave_number[0] * depth > Real(20)) return;  // no wave of this grid feels the bottom
#pragma omp simd
    for (int i = 0; i < grid.frequency_lanes; ++i) {
        const Real argument = Real(2) * wave_number[i] * depth;
        const Real growing = exec::lanes::exp(argument < Real(50) ? argument : Real(50));
        // sinh x = (e^x - e^-x)/2; x is at least 2 k d of the longest wave, so nothing cancels badly.
        const Real sinh = Real(0.5) * (growing - Real(1) / growing);
        rate[i] += scale * wave_number[i] / sinh;
    }
}

}  // namespace groundswell::sea
