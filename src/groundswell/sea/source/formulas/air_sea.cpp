#include "groundswell/sea/source/formulas/air_sea.hpp"

namespace groundswell::sea {

AirSea::AirSea(const PhysicsOptions& options)
    : minimum_charnock_(options[minimum_charnock]),
      wind_growth_(options[growth] / (base::von_karman * base::von_karman)),
      wave_age_shift_(options[wave_age_shift]),
      sheltering_(options[tail_sheltering]),
      stress_limit_(options[stress_limit]),
      roughness_limit_(options[roughness_limit]) {
    // Below x0 waves do not grow: α x0² exp(κ/(x0 + zα)) = 1; Newton on its logarithm.
    double x = 0.005;
    for (int iteration = 0; iteration < 30; ++iteration) {
        const double shifted = x + wave_age_shift_;
        const double value = std::log(minimum_charnock_ * x * x) + base::von_karman / shifted;
        x -= value / (2.0 / x - base::von_karman / (shifted * shifted));
    }
    lowest_omega_ = x;
}

}  // namespace groundswell::sea
