#include "groundswell/sea/source/plain/plain_term.hpp"

namespace groundswell::sea::plain {

PlainSum wind_snyder(const Plain& p) {
    PlainSum sum = p.nothing();
    const double density = p.value("air_density") / p.value("water_density");
    p.for_each_bin([&](int i, int j) {
        const double felt = p.value("snyder_speed") * p.sea.friction_velocity * p.sea.inverse_phase_speed[i];
        sum.source[p.bin(i, j)] = p.value("snyder_growth") * density *
                                  std::max(felt * p.along_wind(j) - 1.0, 0.0) * p.g.sigma[i] * p.energy(i, j);
    });
    return sum;
}

}  // namespace groundswell::sea::plain
