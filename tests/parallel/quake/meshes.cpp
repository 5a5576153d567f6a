// Meshes of tetrahedra read in blocks by several ranks: what lies across their faces, and which elements step together.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>
#include <functional>
#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/mesh/steps.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::quake;

using MaterialAt = std::function<Material(const tetra::Point&)>;
constexpr StepLimit usual_step{StepRule::own, 0.5};

Clusters clusters_of(const tetra::Slab& slab, parallel::SparseExchange& exchange, const MaterialAt& material,
                     int order, const ClusterOptions& options = {}) {
    const auto neighbours = tetra::find_neighbours(MPI_COMM_WORLD, exchange, slab, "mesh");
    std::vector<double> step;
    for (const auto& cell : slab.cell) {
        tetra::Point centre{};
        for (const auto& place : cell.place) {
            for (int j = 0; j < 3; ++j) centre[j] += 0.25 * place[j];
        }
        step.push_back(usual_step.longest_step(tetra::geometry_of(cell.place), material(centre), order));
    }
    return graph::find_clusters(MPI_COMM_WORLD, exchange, cluster_graph(slab, neighbours), step, options);
}

tetra::BoxOptions small_box(bool periodic) {
    tetra::BoxOptions options;
    options.cubes = {4, 6, 4};
    options.periodic = {periodic, periodic, false};
    options.jitter = 0.1;
    return options;
}

TEST(QuakeMeshes, NeighboursSayTheSameOfTheirFace) {
    for (const bool periodic : {false, true}) {
        const tetra::Box box(small_box(periodic));
        parallel::SparseExchange exchange(MPI_COMM_WORLD);
        const tetra::Slab slab = tetra::slab_of(MPI_COMM_WORLD, box);
        const auto neighbours = tetra::find_neighbours(MPI_COMM_WORLD, exchange, slab, "mesh");
        std::int64_t outer = 0;
        double area = 0.0;
        for (std::size_t c = 0; c < slab.cell.size(); ++c) {
            const auto geometry = tetra::geometry_of(slab.cell[c].place);
            for (int f = 0; f < 4; ++f) {
                const auto across = neighbours[c][f];
                if (across.cell < 0) {
                    ++outer;
                    area += geometry.area[f];
                    EXPECT_NE(slab.cell[c].boundary[f], tetra::Boundary::none);
                    continue;
                }
                const tetra::Tetrahedron other = box.cell(across.cell);
                const auto its = tetra::geometry_of(other.place);
                for (int i = 0; i < 3; ++i) {
                    EXPECT_EQ(slab.cell[c].vertex[tetra::face_corners[f][i]],
                              other.vertex[tetra::face_corners[across.face][i]]);
                    EXPECT_NEAR(geometry.normal[f][i], -its.normal[across.face][i], 1e-12);
                }
                EXPECT_NEAR(geometry.area[f], its.area[across.face], 1e-14);
            }
        }
        // Two triangles a square; the box is one metre long on each side.
        EXPECT_EQ(parallel::sum(MPI_COMM_WORLD, outer), periodic ? 2 * 2 * 24 : 2 * 2 * (24 + 24 + 16));
        EXPECT_NEAR(parallel::sum(MPI_COMM_WORLD, std::vector{area}), periodic ? 2.0 : 6.0, 1e-12);
    }
}

TEST(QuakeMeshes, ClustersDifferByOneAtMostAndDoNotDependOnRanks) {
    // Slow rock in a corner of the box, thirty times as fast at the other end.
    const MaterialAt material = [](const tetra::Point& at) {
        const double speed = at[0] < 0.25 ? 200.0 : 6000.0;
        return Material{2700.0, 2700.0 * speed * speed / 3.0, 2700.0 * speed * speed / 3.0};
    };
    const tetra::Box box(small_box(false));
    parallel::SparseExchange exchange(MPI_COMM_WORLD);
    const tetra::Slab slab = tetra::slab_of(MPI_COMM_WORLD, box);
    for (const int rate : {1, 2, 3}) {
        ClusterOptions options;
        options.rate = rate;
        const Clusters found = clusters_of(slab, exchange, material, 4, options);
        // All cells on one rank must come out as these do.
        parallel::SparseExchange alone(MPI_COMM_SELF);
        const tetra::Slab whole = tetra::slab_of(MPI_COMM_SELF, box);
        const auto neighbours = tetra::find_neighbours(MPI_COMM_SELF, alone, whole, "mesh");
        std::vector<double> step;
        for (const auto& cell : whole.cell) {
            tetra::Point centre{};
            for (const auto& place : cell.place) {
                for (int j = 0; j < 3; ++j) centre[j] += 0.25 * place[j];
            }
            step.push_back(usual_step.longest_step(tetra::geometry_of(cell.place), material(centre), 4));
        }
        const Clusters all =
            find_clusters(MPI_COMM_SELF, alone, cluster_graph(whole, neighbours), step, options);
        EXPECT_EQ(found.step, all.step);
        EXPECT_EQ(found.cells, all.cells);
        EXPECT_EQ(found.before, all.before);
        EXPECT_EQ(found.cells.size() > 2, rate > 1);
        for (std::size_t c = 0; c < slab.cell.size(); ++c)
            EXPECT_EQ(found.of[c], all.of[slab.blocks.begin() + static_cast<std::int64_t>(c)]);
        for (std::size_t c = 0; c < whole.cell.size(); ++c) {
            const double taken = all.step * std::pow(rate, all.of[c]);
            EXPECT_LE(taken, step[c] * (1.0 + 1e-12));
            bool held = rate == 1 || taken * rate > step[c];  // by its own step, or by a neighbour
            for (const auto& across : neighbours[c]) {
                if (across.cell < 0) continue;
                EXPECT_LE(all.of[c], all.of[across.cell] + 1);
                held = held || all.of[c] == all.of[across.cell] + 1;
            }
            EXPECT_TRUE(held) << c;
        }
    }
}

TEST(QuakeMeshes, TheScaleOfTheStepIsTheBestOfAll) {
    const tetra::Box box(small_box(false));
    parallel::SparseExchange exchange(MPI_COMM_WORLD);
    const tetra::Slab slab = tetra::slab_of(MPI_COMM_WORLD, box);
    const auto neighbours = tetra::find_neighbours(MPI_COMM_WORLD, exchange, slab, "mesh");
    const auto graph = cluster_graph(slab, neighbours);
    for (const int rate : {1, 2, 3}) {
        for (const double grows : {0.0, 1.3, 9.0}) {
            // Most cells may step a little less than one and a half times as long as the shortest.
            std::vector<double> step;
            for (std::size_t c = 0; c < slab.cell.size(); ++c) {
                const std::int64_t row = slab.blocks.begin() + static_cast<std::int64_t>(c);
                step.push_back(row < 3 ? 0.01 : 0.0145 + 0.01 * grows * slab.cell[c].place[0][0]);
            }
            ClusterOptions options;
            options.rate = rate;
            const auto cost = [&](double scale) {
                options.scale = scale;
                return find_clusters(MPI_COMM_WORLD, exchange, graph, step, options).cost();
            };
            double least = cost(1.0), best = 1.0;
            for (int hundredth = 99; rate > 1 && hundredth > 100 / rate; --hundredth) {
                const double one = cost(hundredth / 100.0);
                if (one >= least) continue;
                least = one;
                best = hundredth / 100.0;
            }
            const double found = find_scale(MPI_COMM_WORLD, exchange, graph, step, options);
            EXPECT_EQ(cost(found), least) << rate << ' ' << grows << ' ' << best;
            EXPECT_EQ(found<1.0, rate> 1) << rate << ' ' << grows << ' ' << found;
        }
    }
}

struct Published {
    const char* file;
    MaterialAt material;
    double step;
    std::vector<std::int64_t> before, cells;
};

// Materials, smallest steps at order 6 and cells in clusters of the meshes with which SeisSol tests itself (repository
// SeisSol/precomputed-seissol, cases TPV5, TPV6, TPV13, TPV33, TPV101 and AHSP: columns of time and files of clustering).
TEST(QuakeMeshes, StepsAndClustersOfPublishedMeshesAreThoseOfSeisSol) {
    const char* folder = std::getenv("GROUNDSWELL_TEST_DATA");
    if (folder == nullptr) GTEST_SKIP() << "needs GROUNDSWELL_TEST_DATA/quake/mesh";
    const Material tpv5{2760.0, 32043759360.0, 32038120320.0};
    const auto of_speeds = [](double density, double vp, double vs) {
        return Material{density, density * (vp * vp - 2.0 * vs * vs), density * vs * vs};
    };
    const Published published[] = {
        {"tpv5-20k.h5",
         [&](const tetra::Point&) { return tpv5; },
         1.4412823797e-3,
         {849, 7657, 5230, 3078, 1883, 486},
         {1001, 7591, 5192, 3046, 1880, 473}},
        {"tpv5-20k.h5",
         [&](const tetra::Point& at) {
             return at[1] > 0.0 ? Material{2225.0, 1.0431e10, 1.0429e10} : tpv5;
         },
         1.5115790756e-3,
         {644, 6066, 5796, 3570, 2187, 876, 44},
         {886, 5953, 5737, 3522, 2200, 842, 43}},
        // TPV101; and a mesh of anisotropic rock, of which the clusters are known and no step.
        {"tpv5-20k.h5",
         [&](const tetra::Point&) { return of_speeds(2670.0, 6000.0, 3464.0); },
         1.4175884526e-3,
         {849, 7657, 5230, 3078, 1883, 486},
         {1001, 7591, 5192, 3046, 1880, 473}},
        {"ahsp.puml.h5",
         [&](const tetra::Point&) { return of_speeds(2700.0, 6000.0, 3464.0); },
         0.0,
         {},
         {513, 3583, 828, 2426, 5}},
        {"tpv12_13_example.puml.h5",
         [](const tetra::Point&) {
             return Material{2700.0, 2.941e10, 2.9403e10};
         },
         9.5217524616e-4,
         {555, 2254, 12869, 3452},
         {585, 2269, 12919, 3357}},
        {"tpv33_half_sym",
         [&](const tetra::Point& at) {
             if (at[1] > 800.0) return of_speeds(2670.0, 6000.0, 3464.0);
             return at[1] < -800.0 ? of_speeds(2670.0, 5626.0, 3248.0) : of_speeds(2670.0, 3750.0, 2165.0);
         },
         1.0586097696e-3,
         {804, 9170, 3945, 1420, 623, 507, 63},
         {804, 9378, 3743, 1475, 622, 452, 58}}};
    for (const Published& known : published) {
        parallel::SparseExchange exchange(MPI_COMM_WORLD);
        const tetra::Slab slab =
            tetra::read_puml(MPI_COMM_WORLD, exchange, std::string(folder) + "/quake/mesh/" + known.file);
        const Clusters found = clusters_of(slab, exchange, known.material, 6);
        if (known.step > 0.0) {
            EXPECT_NEAR(found.step / known.step, 1.0, 1e-9) << known.file;
        }
        if (!known.before.empty()) {
            EXPECT_EQ(found.before, known.before) << known.file;
        }
        EXPECT_EQ(found.cells, known.cells) << known.file;
    }
}

}  // namespace
