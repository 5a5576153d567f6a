#include "groundswell/quake/rock/profile.hpp"

#include <algorithm>

namespace groundswell::quake {

StatedRock RockProfile::at(double z) const {
    const auto below = std::ranges::find_if(rows, [&](const Row& row) { return row.z < z; });
    if (below == rows.begin()) return rows.front().rock;
    const Row& above = *(below - 1);
    if (!gradient || below == rows.end()) return above.rock;
    return between(above.rock, below->rock, (above.z - z) / (above.z - below->z));
}

double part_below(const std::array<tetra::Point, 4>& corners, double z) {
    std::array<double, 4> at{corners[0][2], corners[1][2], corners[2][2], corners[3][2]};
    std::ranges::sort(at);
    if (z <= at[0]) return 0.0;
    if (z >= at[3]) return 1.0;
    // How far along the edge between two corners the height lies.
    const auto along = [&](int from, int to) { return (z - at[from]) / (at[to] - at[from]); };
    if (z <= at[1]) return along(0, 1) * along(0, 2) * along(0, 3);
    if (z >= at[2]) return 1.0 - along(3, 0) * along(3, 1) * along(3, 2);
    // A wedge, of three tetrahedra.
    const double a = along(0, 2), b = along(0, 3), c = along(1, 2), d = along(1, 3);
    return a * b + b * c * (1.0 - a) + c * d * (1.0 - b);
}

Mean mean_of_layers(const std::vector<RockProfile::Row>& layers, const std::array<tetra::Point, 4>& corners) {
    Mean mean;
    double above = 1.0;  // the part below the top of the layer
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const double below = i + 1 < layers.size() ? part_below(corners, layers[i + 1].z) : 0.0;
        if (above > below) mean.add(above - below, layers[i].rock.sample());
        above = below;
    }
    return mean;
}

}  // namespace groundswell::quake
