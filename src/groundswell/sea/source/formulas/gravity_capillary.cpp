#include "groundswell/sea/source/formulas/gravity_capillary.hpp"

namespace groundswell::sea {

GravityCapillary::GravityCapillary(const PhysicsOptions& options, int directions)
    : used_(options[switched] > 0.0),
      growth_(options[AirSea::growth] / (base::von_karman * base::von_karman)),
      wave_age_shift_(options[AirSea::wave_age_shift]),
      charnock_(options[AirSea::minimum_charnock]),
      renormalisation_(options[renormalisation]),
      narrow_(directions <= 24 ? 0.40 : 0.35) {}

}  // namespace groundswell::sea
