// The elements of a box, with what lies across their faces.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "groundswell/mesh/tetra/box.hpp"
#include "groundswell/quake/elements.hpp"

namespace groundswell::quake::test {

struct BoxElements {
    std::vector<tetra::Tetrahedron> cell;
    std::vector<Element> element;
};

/// `material(centre)` of each element.
template <class MaterialOf>
BoxElements elements_of(const tetra::BoxOptions& options, const MaterialOf& material) {
    const tetra::Box box(options);
    BoxElements all;
    for (std::int64_t c = 0; c < box.cells(); ++c) {
        all.cell.push_back(box.cell(c));
        const auto& cell = all.cell.back();
        tetra::Point centre{};
        for (const auto& place : cell.place) {
            for (int j = 0; j < 3; ++j) centre[j] += 0.25 * place[j];
        }
        all.element.push_back({tetra::geometry_of(cell.place), material(centre), {}});
    }
    struct Side {
        std::int32_t element;
        int face;
    };
    std::map<std::array<std::int64_t, 3>, std::vector<Side>> sides;
    for (std::size_t e = 0; e < all.cell.size(); ++e) {
        for (int f = 0; f < 4; ++f) {
            std::array<std::int64_t, 3> corners{};
            for (int i = 0; i < 3; ++i) corners[i] = all.cell[e].vertex[tetra::face_corners[f][i]];
            sides[corners].push_back({static_cast<std::int32_t>(e), f});
        }
    }
    for (const auto& [corners, pair] : sides) {
        for (std::size_t i = 0; i < pair.size(); ++i) {
            auto& across = all.element[pair[i].element].across[pair[i].face];
            across.boundary = all.cell[pair[i].element].boundary[pair[i].face];
            if (pair.size() != 2) continue;
            const Side& other = pair[1 - i];
            across.element = other.element;
            across.face = other.face;
            across.material = all.element[other.element].material;
        }
    }
    return all;
}

/// The longest step: `courant` × twice the inscribed radius / (vp (2 order - 1)), of all elements.
inline double longest_step(const std::vector<Element>& elements, int order, double courant = 0.5) {
    double step = 1e300;
    for (const Element& e : elements) {
        step = std::min(step,
                        courant * 2.0 * e.geometry.inscribed_radius() / (e.material.vp() * (2 * order - 1)));
    }
    return step;
}

}  // namespace groundswell::quake::test
