#include "groundswell/quake/streams/receivers/receivers_on_faults.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "groundswell/mesh/tetra/vector.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::quake {

namespace {

// A share of a cell's own length, as in locate().
constexpr double rounding = 1e-9;

// A face of a fault, as the cell on its + side has it.
struct PlusFace {
    double id;  // of the cell
    tetra::Point normal;
    tetra::Geometry geometry;
    tetra::Point origin;
    int opposite;  // corner of the cell

    bool holds(const tetra::Point& place) const {
        std::array<double, 4> share{1.0, 0.0, 0.0, 0.0};
        for (int d = 0; d < 3; ++d) {
            for (int j = 0; j < 3; ++j) share[d + 1] += geometry.gradient[d][j] * (place[j] - origin[j]);
            share[0] -= share[d + 1];
        }
        return std::abs(share[opposite]) <= rounding && std::ranges::min(share) >= -rounding;
    }
};

std::vector<PlusFace> plus_faces(const tetra::LocalMesh& mesh) {
    std::vector<PlusFace> faces;
    for (std::int32_t c = 0; c < mesh.owned; ++c) {
        const tetra::Tetrahedron& cell = mesh.cell[c];
        for (int f = 0; f < 4; ++f) {
            if (!tetra::is_fault(cell.boundary[f]) || !cell.is_plus(f)) continue;
            const tetra::Geometry geometry = tetra::geometry_of(cell.place);
            faces.push_back(
                {static_cast<double>(mesh.id[c]), geometry.normal[f], geometry, cell.place[0], 3 - f});
        }
    }
    return faces;
}

}  // namespace

std::vector<FaultSide> sides_of_places(MPI_Comm comm, const tetra::LocalMesh& mesh,
                                       std::span<const tetra::Point> places,
                                       std::span<const tetra::Located> found) {
    constexpr double least = -std::numeric_limits<double>::infinity();
    const auto faces = plus_faces(mesh);
    std::vector<double> first(places.size(), least);  // less the id, of the first cell with a face there
    std::vector<const PlusFace*> face(places.size(), nullptr);
    for (std::size_t p = 0; p < places.size(); ++p) {
        for (const PlusFace& one : faces) {
            if (-one.id <= first[p] || !one.holds(places[p])) continue;
            first[p] = -one.id;
            face[p] = &one;
        }
    }
    const std::vector<double> of_all = parallel::max(comm, first);
    std::vector<double> normal(3 * places.size(), least);
    for (std::size_t p = 0; p < places.size(); ++p) {
        if (face[p] && first[p] == of_all[p]) std::ranges::copy(face[p]->normal, normal.begin() + 3 * p);
    }
    normal = parallel::max(comm, normal);
    std::vector<double> side(places.size(), 0.0);
    for (std::size_t p = 0; p < places.size(); ++p) {
        if (found[p].cell < 0 || of_all[p] == least) continue;
        const tetra::Point across{normal[3 * p], normal[3 * p + 1], normal[3 * p + 2]};
        const tetra::Point to_centre =
            tetra::operator-(tetra::centre_of(mesh.cell[found[p].cell]), places[p]);
        side[p] = tetra::dot(to_centre, across) < 0.0 ? 1.0 : 2.0;
    }
    side = parallel::max(comm, side);
    std::vector<FaultSide> sides;
    for (const double one : side)
        sides.push_back(one == 0.0 ? FaultSide::none : one == 1.0 ? FaultSide::plus : FaultSide::minus);
    return sides;
}

}  // namespace groundswell::quake
