// The cells nearest to points: those that one rank would find, in a number of messages that does not grow with the
// points.
#include "groundswell/mesh/voronoi/nearest.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <atomic>
#include <cmath>
#include <vector>

#include "groundswell/mesh/voronoi/load.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"
#include "support/mesh/mesh_parts.hpp"

namespace {

std::atomic<int> reductions;

}  // namespace

// In the place of the library's own: counts and passes on.
extern "C" int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm) {
    ++reductions;
    return PMPI_Allreduce(from, to, count, type, op, comm);
}

namespace {

using namespace groundswell::voronoi;
using namespace groundswell::voronoi::test;

std::vector<Place> spiral(int count) {
    std::vector<Place> places;
    for (int i = 0; i < count; ++i) places.push_back({-3.1 + 6.2 * i / count, 1.5 * std::sin(2.0 * i)});
    return places;
}

TEST(MeshNearest, IsTheSameCellForAnyNumberOfRanks) {
    const LoadedMesh loaded = load_mesh(MPI_COMM_WORLD, [] { return globe(12); });
    const LocalMesh& mesh = loaded.mesh;
    const LocalMesh alone = load_mesh(MPI_COMM_SELF, [] { return globe(12); }).mesh;
    const std::vector<Place> places = spiral(40);
    const std::vector<NearestCell> found = nearest_cells(loaded.comm.get(), mesh, places);
    const std::vector<NearestCell> expected = nearest_cells(MPI_COMM_SELF, alone, places);
    ASSERT_EQ(found.size(), places.size());
    std::vector<int> owners(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        EXPECT_EQ(found[i].id, expected[i].id);
        EXPECT_EQ(found[i].mesh_cell, expected[i].mesh_cell);
        EXPECT_EQ(found[i].distance, expected[i].distance);
        EXPECT_EQ(found[i].lon, expected[i].lon);
        EXPECT_EQ(found[i].lat, expected[i].lat);
        if (found[i].local < 0) continue;
        EXPECT_EQ(mesh.id[found[i].local], found[i].id);
        owners[i] = 1;
    }
    PMPI_Allreduce(MPI_IN_PLACE, owners.data(), static_cast<int>(owners.size()), MPI_INT, MPI_SUM,
                   MPI_COMM_WORLD);
    EXPECT_EQ(owners, std::vector<int>(places.size(), 1));
    // And no cell is nearer.
    for (std::size_t i = 0; i < places.size(); ++i)
        for (std::int32_t c = 0; c < mesh.owned; ++c) {
            const double distance =
                mesh.radius * arc(point_at(mesh.lon[c], mesh.lat[c]), point_at(places[i].lon, places[i].lat));
            EXPECT_GE(distance, found[i].distance * (1.0 - 1e-9)) << "point " << i << ", cell " << mesh.id[c];
        }
}

TEST(MeshNearest, OfCellsEquallyNearTheLowestIdWins) {
    // All five cells around the pole are equally far from it, up to rounding; their mirror images across lon
    // = 0 exactly.
    const auto make = [] {
        GlobalMesh mesh = icosahedral(2, 4000.0);
        for (std::int32_t c = 0; c < mesh.cells(); ++c) {
            if (std::fabs(std::fabs(mesh.lat[c]) - M_PI / 2.0) < 1e-6) mesh.depth[c] = -1.0;
        }
        return mesh;
    };
    const LoadedMesh loaded = load_mesh(MPI_COMM_WORLD, make);
    const LocalMesh alone = load_mesh(MPI_COMM_SELF, make).mesh;
    const std::vector<Place> pole{{0.0, M_PI / 2.0}};
    EXPECT_EQ(nearest_cells(loaded.comm.get(), loaded.mesh, pole).front().id,
              nearest_cells(MPI_COMM_SELF, alone, pole).front().id);
}

TEST(MeshNearest, ManyPointsTakeAsManyMessagesAsOne) {
    const LoadedMesh loaded = load_mesh(MPI_COMM_WORLD, [] { return globe(6); });
    const auto reductions_for = [&](int points) {
        const int before = reductions;
        nearest_cells(loaded.comm.get(), loaded.mesh, spiral(points));
        return reductions - before;
    };
    EXPECT_EQ(reductions_for(1), 4);
    EXPECT_EQ(reductions_for(500), 4);
}

}  // namespace
