// Geometry of meshes made by arithmetic, and of the bearings computed from them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "groundswell/base/constants.hpp"
#include "groundswell/mesh/voronoi/parts/extractor.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::voronoi;

LocalMesh whole(const GlobalMesh& mesh) {
    const std::vector<int> part(mesh.cells(), 0);
    return Extractor(mesh, part, 1, 1).local_mesh(0);
}

/// Largest |Σ length × normal| / Σ length over all cells, the normals rotated to the cell's own frame.
double worst_closure(const LocalMesh& mesh) {
    double worst = 0.0;
    for (std::int32_t c = 0; c < mesh.owned; ++c) {
        double x = 0.0, y = 0.0, perimeter = 0.0;
        for (std::int32_t j = mesh.edge_offset[c]; j < mesh.edge_offset[c + 1]; ++j) {
            const double bearing = mesh.edge_bearing[j] +
                                   frame_turn(mesh.edge_lon[j], mesh.edge_lat[j], mesh.lon[c], mesh.lat[c]);
            x += mesh.edge_length[j] * std::cos(bearing);
            y += mesh.edge_length[j] * std::sin(bearing);
            perimeter += mesh.edge_length[j];
        }
        worst = std::max(worst, std::hypot(x, y) / perimeter);
    }
    return worst;
}

TEST(MeshIcosahedral, HasTenKSquaredPlusTwoCellsAndEulerHolds) {
    for (const int k : {1, 2, 3, 7}) {
        const GlobalMesh mesh = icosahedral(k, 4000.0);
        EXPECT_EQ(mesh.cells(), 10 * k * k + 2);
        EXPECT_EQ(mesh.edges(), 30 * k * k);
        EXPECT_EQ(mesh.vertices(), 20 * k * k);
        int pentagons = 0;
        for (std::int32_t c = 0; c < mesh.cells(); ++c) pentagons += mesh.offset[c + 1] - mesh.offset[c] == 5;
        EXPECT_EQ(pentagons, 12);
        const auto poles =
            std::ranges::count_if(mesh.lat, [](double lat) { return std::fabs(lat) > 1.5707; });
        EXPECT_EQ(poles, 2);
    }
}

TEST(MeshIcosahedral, AreasSumToTheSphere) {
    const GlobalMesh mesh = icosahedral(16, 4000.0);
    const double sum = std::accumulate(mesh.area.begin(), mesh.area.end(), 0.0);
    const double sphere = 4.0 * base::pi * base::earth_radius * base::earth_radius;
    EXPECT_NEAR(sum / sphere, 1.0, 1e-13 * 16);  // rounding of 2562 terms
}

TEST(MeshIcosahedral, FacesArePerpendicularToTheLinesBetweenCentres) {
    // The defining property of a Voronoi mesh.
    const GlobalMesh global = icosahedral(9, 4000.0);
    const LocalMesh mesh = whole(global);
    for (std::int32_t c = 0; c < mesh.owned; ++c) {
        const Vector3 here = point_at(mesh.lon[c], mesh.lat[c]);
        for (std::int32_t j = mesh.edge_offset[c]; j < mesh.edge_offset[c + 1]; ++j) {
            const std::int32_t n = mesh.neighbour[j];
            const Vector3 there = point_at(mesh.lon[n], mesh.lat[n]);
            const double towards = bearing_of(there - here, mesh.edge_lon[j], mesh.edge_lat[j]);
            // The centres' plane cuts the edge's great circle at a right angle; the middle of the edge lies
            // off it.
            EXPECT_NEAR(std::cos(mesh.edge_bearing[j] - towards), 1.0, 2e-4);
        }
    }
}

TEST(MeshIcosahedral, BothCellsOfAnEdgeSeeOppositeNormals) {
    const LocalMesh mesh = whole(icosahedral(6, 4000.0));
    for (std::int32_t c = 0; c < mesh.owned; ++c) {
        for (std::int32_t j = mesh.edge_offset[c]; j < mesh.edge_offset[c + 1]; ++j) {
            const std::int32_t n = mesh.neighbour[j];
            int found = 0;
            for (std::int32_t i = mesh.edge_offset[n]; i < mesh.edge_offset[n + 1]; ++i) {
                if (mesh.neighbour[i] != c) continue;
                ++found;
                EXPECT_EQ(mesh.edge_length[i], mesh.edge_length[j]);
                EXPECT_EQ(mesh.edge_lon[i], mesh.edge_lon[j]);
                EXPECT_NEAR(std::cos(mesh.edge_bearing[i] - mesh.edge_bearing[j]), -1.0, 1e-14);
            }
            EXPECT_EQ(found, 1);
        }
    }
}

TEST(MeshIcosahedral, NormalsOfACellCloseAndTheGapShrinksWithTheSquareOfTheSize) {
    // A closed polygon in the plane has Σ l n = 0. On the sphere what remains is of the order of (size /
    // radius)².
    const double coarse = worst_closure(whole(icosahedral(8, 4000.0)));
    const double fine = worst_closure(whole(icosahedral(16, 4000.0)));
    EXPECT_LT(fine, 1e-3);
    EXPECT_GT(std::log2(coarse / fine), 1.8);
}

TEST(MeshIcosahedral, CornersGoAnticlockwise) {
    const GlobalMesh mesh = icosahedral(4, 4000.0);
    for (std::int32_t c = 0; c < mesh.cells(); ++c) {
        const Vector3 centre = point_at(mesh.lon[c], mesh.lat[c]);
        const std::int64_t count = mesh.offset[c + 1] - mesh.offset[c];
        for (std::int64_t k = 0; k < count; ++k) {
            const auto corner = [&](std::int64_t i) {
                const std::int32_t v = mesh.corner[mesh.offset[c] + i % count];
                return point_at(mesh.vertex_lon[v], mesh.vertex_lat[v]);
            };
            EXPECT_GT(triangle_area(centre, corner(k), corner(k + 1)), 0.0);
            // edge k lies between corner k-1 and corner k
            const std::int32_t e = mesh.edge[mesh.offset[c] + (k + 1) % count];
            const std::set<std::int32_t> ends{mesh.edge_end1[e], mesh.edge_end2[e]};
            EXPECT_EQ(ends, (std::set<std::int32_t>{mesh.corner[mesh.offset[c] + k],
                                                    mesh.corner[mesh.offset[c] + (k + 1) % count]}));
        }
    }
}

TEST(MeshPatch, IsRegularAndBoundedByCoast) {
    //   row 1 (shifted)    3 4 5
    //   row 0             0 1 2
    const double spacing = 10000.0;
    const GlobalMesh mesh = hexagonal_patch(3, 2, spacing, 2.0, 0.3, [](double, double) { return 50.0; });
    ASSERT_EQ(mesh.cells(), 6);
    EXPECT_NEAR(smallest_spacing(mesh), spacing, 0.01);
    int inner_sides = 0;
    for (const std::int32_t n : mesh.neighbour) inner_sides += n != coast;
    EXPECT_EQ(inner_sides, 2 * 9);  // 0-1 1-2 3-4 4-5 0-3 1-3 1-4 2-4 2-5
    for (const double area : mesh.area) EXPECT_NEAR(area / (spacing * spacing * std::sqrt(0.75)), 1.0, 1e-4);
    EXPECT_GT(mesh.lon[1], mesh.lon[0]);
    EXPECT_GT(mesh.lat[3], mesh.lat[0]);
    EXPECT_LT(worst_closure(whole(mesh)), 1e-5);
}

TEST(MeshSphere, AFrameTurnsByTheEnclosedAreaAroundATriangle) {
    // Gauss-Bonnet: carried around a closed path, a direction turns by the area inside (unit sphere).
    const double lon[3] = {0.3, 0.9, 0.5}, lat[3] = {0.2, 0.4, 1.1};
    double turn = 0.0;
    for (int i = 0; i < 3; ++i) turn += frame_turn(lon[i], lat[i], lon[(i + 1) % 3], lat[(i + 1) % 3]);
    const double area =
        triangle_area(point_at(lon[0], lat[0]), point_at(lon[1], lat[1]), point_at(lon[2], lat[2]));
    EXPECT_NEAR(turn, area, 1e-14);
    EXPECT_GT(area, 0.1);
}

TEST(MeshSphere, LongitudesWrapIntoMinusPiToPi) {
    EXPECT_EQ(wrap_longitude(1.0), 1.0);
    EXPECT_EQ(wrap_longitude(base::pi), -base::pi);
    EXPECT_EQ(wrap_longitude(-base::pi), -base::pi);
    EXPECT_NEAR(wrap_longitude(6.0), 6.0 - base::two_pi, 1e-15);
}

}  // namespace
