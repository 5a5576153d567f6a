#include "groundswell/quake/mesh/step_rule.hpp"

#include <cmath>

#include "groundswell/base/errors.hpp"

namespace groundswell::quake {

namespace {

// The mean of power -2 of the heights: 1/m² is the mean of 1/h².
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

double fraction_in_contrast(double contrast) {
    constexpr double harmless = 4.0, worst = 30.0, least = 0.88;
    if (contrast <= harmless) return 1.0;
    if (contrast >= worst) return least;
    return 1.0 - (1.0 - least) * std::log(contrast / harmless) / std::log(worst / harmless);
}

double StepLimit::longest_step(const tetra::Geometry& geometry, const Material& material, int order,
                               double contrast) const {
    const double width = rule == StepRule::own ? 2.0 * geometry.inscribed_radius()
                                               : stable_fraction(order) * fraction_in_contrast(contrast) *
                                                     0.5 * mean_height(geometry);
    return courant * width / (material.vp() * (2 * order - 1));
}

}  // namespace groundswell::quake
