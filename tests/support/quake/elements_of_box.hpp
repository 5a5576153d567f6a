// The elements of a box, with what lies across their faces.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "groundswell/mesh/tetra/box.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/elements/elements.hpp"
#include "groundswell/quake/energy.hpp"
#include "groundswell/quake/kernel_set.hpp"
#include "groundswell/quake/mesh/step_rule.hpp"

namespace groundswell::quake::test {

struct BoxElements {
    std::vector<tetra::Tetrahedron> cell;
    std::vector<Element> element;
    std::vector<std::array<tetra::Across, 4>> across;
};

/// What lies across the faces of all cells of a mesh.
inline std::vector<std::array<tetra::Across, 4>> across_faces(const std::vector<tetra::Tetrahedron>& cells) {
    std::map<std::array<std::int64_t, 3>, std::pair<std::int64_t, int>> seen;  // from one side
    std::vector<std::array<tetra::Across, 4>> across(cells.size());
    for (std::size_t c = 0; c < cells.size(); ++c) {
        for (int f = 0; f < 4; ++f) {
            std::array<std::int64_t, 3> corner;
            for (int i = 0; i < 3; ++i) corner[i] = cells[c].vertex[tetra::face_corners[f][i]];
            const auto [first, is_new] = seen.try_emplace(corner, static_cast<std::int64_t>(c), f);
            if (is_new) continue;
            const auto [cell, face] = first->second;
            across[c][f] = {cell, face};
            across[cell][face] = {static_cast<std::int64_t>(c), f};
        }
    }
    return across;
}

/// `material(centre)` of each element; those of rock come first, those of water after them.
template <class MaterialOf>
BoxElements elements_of(const tetra::BoxOptions& options, const MaterialOf& material) {
    const tetra::Box box(options);
    BoxElements all;
    for (std::int64_t c = 0; c < box.cells(); ++c) all.cell.push_back(box.cell(c));
    std::ranges::stable_partition(all.cell,
                                  [&](const auto& cell) { return !material(centre_of(cell)).is_liquid(); });
    all.across = across_faces(all.cell);
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
Elements<Real> one_block(const Kernels<Real>& kernels, const BoxElements& box) {
    std::array<std::int32_t, 2> count{};  // no batch has both
    for (const Element& element : box.element) ++count[element.material.is_liquid() ? 1 : 0];
    Elements<Real> elements(kernels, BatchPlaces(count, kernels.layout.lanes, count.size()), 0);
    for (std::int32_t e = 0; e < elements.size(); ++e) {
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
template <class Real>
Elements<Real> one_block(int order, const BoxElements& box) {
    return one_block<Real>(wave_kernels<Real>(order), box);
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
