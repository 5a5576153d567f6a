#include "groundswell/sea/ice/damping.hpp"

#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/ice/boundary_layer.hpp"
#include "groundswell/sea/ice/power_law.hpp"

namespace groundswell::sea {

double IceDamping::decay(int frequency, double depth, double thickness) const {
    const double sigma = grid_.sigma[frequency];
    if (options_.form == IceForm::power_law)
        return ice_decay_power_law(sigma / base::two_pi, options_.per_square, options_.per_fourth);
    if (options_.form == IceForm::boundary_layer)
        return ice_decay_boundary_layer(sigma, depth, thickness, options_.eddy_viscosity);
    return 0.0;
}

Real IceDamping::left(int frequency, const Cell& cell, double seconds) const {
    const double speed = cell.group_speed[frequency];
    return static_cast<Real>(
        std::exp(-cell.concentration * decay(frequency, cell.depth, cell.thickness) * speed * seconds));
}

void IceDamping::apply(Real* action, const Cell& cell, double seconds) const {
    if (!acts(cell)) return;
    for (int f = 0; f < grid_.frequencies; ++f) {
        const Real share = left(f, cell, seconds);
        Real* const row = action + f * grid_.directions;
        for (int d = 0; d < grid_.directions; ++d) row[d] = damped(row[d], share);
    }
}

}  // namespace groundswell::sea
