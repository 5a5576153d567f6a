#include "groundswell/quake/mesh/step_rule.hpp"

#include <cmath>

#include "groundswell/base/errors.hpp"

namespace groundswell::quake {

namespace {

// Of power -2: 1/m² is the mean of 1/h².
double mean_height(const tetra::Geometry& geometry) {
    double squares = 0.0;
    for (const double area : geometry.area) squares += area * area;
    return 6.0 * geometry.volume / std::sqrt(squares);
}

}  // namespace

double stable_fraction(int order) {
    constexpr double found[] = {0.69, 0.68, 0.65, 0.59, 0.53, 0.48};
    GS_ASSERT(order >= 2 && order <= 7);
    return found[order - 2];
}

double StepLimit::longest_step(const tetra::Geometry& geometry, const Material& material, int order) const {
    const double width = rule == StepRule::own ? 2.0 * geometry.inscribed_radius()
                                               : stable_fraction(order) * 0.5 * mean_height(geometry);
    return courant * width / (material.vp() * (2 * order - 1));
}

}  // namespace groundswell::quake
