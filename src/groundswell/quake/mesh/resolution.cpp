#include "groundswell/quake/mesh/resolution.hpp"

#include <algorithm>

namespace groundswell::quake {

double edges_per_wavelength(int order) {
    constexpr double measured[] = {7.5, 2.6, 1.39, 0.91, 0.68, 0.55};  // orders 2 to 7
    return measured[order - 2];
}

double highest_frequency(const std::array<tetra::Point, 4>& corners, const Material& material, int order) {
    const double slowest = material.mu > 0.0 ? material.vs() : material.vp();
    return slowest / (edges_per_wavelength(order) * std::ranges::max(tetra::edges_of(corners)));
}

}  // namespace groundswell::quake
