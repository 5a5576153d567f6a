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

}  // namespace groundswell::sea
