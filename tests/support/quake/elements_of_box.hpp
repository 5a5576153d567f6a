// The elements of a box, with what lies across their faces.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "groundswell/mesh/tetra/slab.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/clusters.hpp"
#include "groundswell/quake/elements.hpp"
#include "groundswell/quake/energy.hpp"

namespace groundswell::quake::test {

struct BoxElements {
    std::vector<tetra::Tetrahedron> cell;
    std::vector<Element> element;
    std::vector<std::array<tetra::Across, 4>> across;
};

/// `material(centre)` of each element.
template <class MaterialOf>
BoxElements elements_of(const tetra::BoxOptions& options, const MaterialOf& material) {
    parallel::SparseExchange exchange(MPI_COMM_SELF);
    const tetra::Slab slab = tetra::slab_of(MPI_COMM_SELF, tetra::Box(options));
    BoxElements all{slab.cell, {}, tetra::find_neighbours(MPI_COMM_SELF, exchange, slab, "box")};
    for (const auto& cell : all.cell)
        all.element.push_back({tetra::geometry_of(cell.place), material(centre_of(cell)), cell.boundary, {}});
    for (std::size_t e = 0; e < all.element.size(); ++e) {
        for (int f = 0; f < 4; ++f) {
            const std::int64_t other = all.across[e][f].cell;
            if (other >= 0) all.element[e].beyond[f] = all.element[other].material;
        }
    }
    return all;
}

/// In one block, all with the same step.
template <class Real>
Elements<Real> one_block(int order, const BoxElements& box) {
    const std::int32_t count = static_cast<std::int32_t>(box.element.size());
    const auto& kernels = elastic_kernels<Real>(order);
    Elements<Real> elements(kernels, BatchPlaces({&count, 1}, kernels.layout.lanes), 0);
    for (std::int32_t e = 0; e < count; ++e) {
        std::array<std::int32_t, 4> beyond{};
        for (int f = 0; f < 4; ++f) {
            const auto& across = box.across[e][f];
            beyond[f] = across.cell < 0
                            ? elements.places().side(e, f)
                            : elements.places().side(static_cast<std::int32_t>(across.cell), across.face);
        }
        elements.set(e, box.element[e], beyond);
    }
    return elements;
}

/// Kinetic and elastic energy of an element, J. `coefficient(k, quantity)`.
template <class Coefficient>
double energy_of(int order, const Material& m, double volume, const Coefficient& coefficient) {
    const Energy energy = quake::energy_of(tetrahedron_mass(order), m, volume, coefficient);
    return energy.kinetic + energy.elastic;
}

/// As other programs step.
inline constexpr StepLimit usual_step{StepRule::own, 0.5};

/// The longest step that all elements may take.
inline double longest_step(const std::vector<Element>& elements, int order) {
    double step = 1e300;
    for (const Element& e : elements)
        step = std::min(step, usual_step.longest_step(e.geometry, e.material, order));
    return step;
}

}  // namespace groundswell::quake::test
