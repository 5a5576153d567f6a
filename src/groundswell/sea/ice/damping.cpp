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

void IceDamping::apply(Real* action, const Real* group_speed, double depth, double concentration,
                       double thickness, double seconds) const {
    if (!damps() || !(concentration > 0.0)) return;
    for (int f = 0; f < grid_.frequencies; ++f) {
        const double speed = group_speed[f];
        const auto left =
            static_cast<Real>(std::exp(-concentration * decay(f, depth, thickness) * speed * seconds));
        Real* const row = action + f * grid_.directions;
        for (int d = 0; d < grid_.directions; ++d) {
            row[d] *= left;
            if (row[d] < Real(1e-30)) row[d] = Real(0);
        }
    }
}

}  // namespace groundswell::sea
