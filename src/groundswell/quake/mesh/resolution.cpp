#include "groundswell/quake/mesh/resolution.hpp"

#include <algorithm>
#include <limits>

#include "groundswell/base/log.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::quake {

namespace {

constexpr double least_ratio = 1.2;  // of speeds

bool differ(double one, double other) {
    return std::max(one, other) >= least_ratio * std::min(one, other);
}

bool is_interface(const Material& one, const Material& other) {
    return differ(one.vp(), other.vp()) || (one.mu != other.mu && differ(one.vs(), other.vs()));
}

}  // namespace

double edges_per_wavelength(int order) {
    constexpr double measured[] = {7.5, 2.6, 1.39, 0.91, 0.68, 0.55};  // orders 2 to 7
    return measured[order - 2];
}

double highest_frequency(const std::array<tetra::Point, 4>& corners, const Material& material, int order) {
    const double slowest = material.mu > 0.0 ? material.vs() : material.vp();
    return slowest / (edges_per_wavelength(order) * std::ranges::max(tetra::edges_of(corners)));
}

void Interfaces::announce() const {
    if (faces == 0) return;
    base::log_info(
        "interfaces: across {} faces wave speeds differ by a fifth or more. The frequency above does not "
        "know what runs along them or along a free surface over them: with half the edges for that, elements "
        "there carry waves up to {:.4g} Hz",
        faces, 0.5 * lowest);
}

Interfaces interfaces_of(MPI_Comm comm, const tetra::LocalMesh& mesh, std::span<const Material> material,
                         int order) {
    std::int64_t sides = 0;
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < static_cast<std::size_t>(mesh.owned); ++c) {
        for (const tetra::LocalAcross& across : mesh.across[c]) {
            if (across.cell < 0 ||
                !is_interface(material[c], material[static_cast<std::size_t>(across.cell)]))
                continue;
            ++sides;
            lowest = std::min(lowest, highest_frequency(mesh.cell[c].place, material[c], order));
        }
    }
    return {parallel::sum(comm, sides) / 2, parallel::min(comm, lowest)};
}

}  // namespace groundswell::quake
