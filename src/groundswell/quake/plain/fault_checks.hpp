#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "groundswell/exec/kernel_check.hpp"
#include "groundswell/quake/fault/fault.hpp"

/// Kernels of faults against their plain form.
namespace groundswell::quake::plain {

/// Number of cells, and of faces, that are looked at.
inline constexpr int looked_at = 12;

/// Some faces of a rank's faults, both of whose sides are its own.
inline std::vector<std::int32_t> faces_to_look_at(const Fault& fault, const tetra::LocalMesh& mesh) {
    std::vector<std::int32_t> all;
    for (std::size_t face = 0; face < fault.places().size(); ++face) {
        const auto& place = fault.places()[face];
        if (place.cell[0] < mesh.owned && place.cell[1] < mesh.owned)
            all.push_back(static_cast<std::int32_t>(face));
    }
    std::vector<std::int32_t> some;
    const std::size_t count = std::min<std::size_t>(looked_at, all.size());
    for (std::size_t i = 0; i < count; ++i) some.push_back(all[i * all.size() / count]);
    return some;
}

/// Traction and velocity at the points of a face by each derivative; `series(cell)` is that of its rock in plain form.
template <class SeriesOf>
void check_sides(const Fault& fault, const tetra::LocalMesh& mesh, int order, double seconds,
                 const SeriesOf& series, exec::KernelCheck& check) {
    constexpr int stress[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    const FaultRule& rule = fault.rule();
    for (const std::int32_t face : faces_to_look_at(fault, mesh)) {
        for (int s = 0; s < 2; ++s) {
            const FaultPlace& place = fault.places()[face];
            const std::int32_t cell = place.cell[s];
            const int f = place.face[s];
            const auto normal = tetra::geometry_of(mesh.cell[cell].place).normal[f];
            const double* side = fault.side(face, s);
            double factor = 1.0;
            for (int k = 0; k < order; ++k) {
                const int functions = face_basis_size(order - k);
                for (int p = 0; p < rule.points(); ++p) {
                    const auto phi = tetrahedron_basis(order, on_face(f, place.in_face(rule.place.point[p])));
                    std::array<double, 9> q{};
                    for (int b = 0; b < basis_size(order - k); ++b) {
                        for (int i = 0; i < 9; ++i) q[i] += phi[b].value * series(cell).state[k][b * 9 + i];
                    }
                    for (int i = 0; i < 6; ++i) {
                        double expected = q[3 + i], found = 0.0;
                        if (i < 3) {
                            expected = 0.0;
                            for (int j = 0; j < 3; ++j) expected += normal[j] * q[stress[i][j]];
                        }
                        for (int m = 0; m < functions; ++m)
                            found += rule.at[p * rule.basis + m] * side[6 * m + i];
                        const double scale = (i < 3 ? 1e6 : 0.1) / factor;
                        check.compare(expected / scale, found / scale);
                    }
                }
                side += 6 * functions;
                factor *= seconds / (k + 1);
            }
        }
        ++check.cells;
    }
}

/// States after a step of friction, which is taken back afterwards.
template <class Real>
void check_friction(Fault& fault, Elements<Real>& elements, const tetra::LocalMesh& mesh, double seconds,
                    exec::KernelCheck& check) {
    const int points = fault.rule().points();
    const auto faces = static_cast<std::int32_t>(fault.places().size());
    const auto states = [&](std::int32_t face) {
        std::vector<double> values;
        for (int i = 0; i < kept_states * points; ++i)
            values.push_back(fault.state(face, i / points, i % points));
        return values;
    };
    std::vector<std::vector<double>> before;
    for (std::int32_t face = 0; face < faces; ++face) before.push_back(states(face));
    std::map<std::int32_t, std::vector<double>> expected;
    for (const std::int32_t face : faces_to_look_at(fault, mesh))
        expected[face] = fault.solved_plainly(face, 0.0, seconds);
    for (int c = 0; c < static_cast<int>(mesh.groups.size()); ++c)
        fault.solve(elements, c, false, 0.0, seconds);
    std::vector<double> largest(kept_states);
    for (const auto& [face, values] : expected) {
        for (int i = 0; i < kept_states * points; ++i)
            largest[i / points] = std::max(largest[i / points], std::abs(values[i]));
    }
    for (const auto& [face, values] : expected) {
        const std::vector<double> found = states(face);
        for (int i = 0; i < kept_states * points; ++i) {
            const double scale = largest[i / points] > 0.0 ? largest[i / points] : 1.0;
            check.compare(values[i] / scale, found[i] / scale);
        }
        ++check.cells;
    }
    for (std::int32_t face = 0; face < faces; ++face) {
        for (int i = 0; i < kept_states * points; ++i)
            fault.state(face, i / points, i % points) = before[face][i];
    }
}

}  // namespace groundswell::quake::plain
