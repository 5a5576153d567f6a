// Gmsh's older form, elements of second order, and meshes with nodes twice, read in blocks by several ranks.
#include <gtest/gtest.h>

#include "groundswell/mesh/tetra/join.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "support/gmsh_of_box.hpp"
#include "support/tetra_on_disk.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::tetra;
using groundswell::tetra::test::GmshOfBox;
using groundswell::tetra::test::GmshOptions;

Box box_of(std::int64_t cubes) {
    BoxOptions options;
    options.cubes = {cubes, cubes, cubes};
    options.jitter = 0.1;
    return Box(options);
}

class GmshForms : public test::TetraOnDisk {
protected:
    Slab read_joined(double distance) const {
        parallel::SparseExchange exchange(MPI_COMM_WORLD);
        return read_mesh(MPI_COMM_WORLD, exchange, path, distance);
    }
};

TEST_F(GmshForms, OlderOnesAndCurvedElementsGiveTheCellsOfTheBox) {
    const Box box = box_of(3);
    for (const bool version_2 : {false, true}) {
        for (const bool binary : {false, true}) {
            for (const bool curved : {false, true}) {
                GmshOptions options;
                options.version_2 = version_2;
                options.binary = binary;
                options.curved = curved;
                write(GmshOfBox(box, options).text);
                const Slab slab = read();
                test::expect_box(slab, box);
                EXPECT_EQ(slab.group, std::vector<std::int64_t>(slab.cell.size(), 7));
            }
        }
    }
}

TEST_F(GmshForms, TheOlderOneSaysBoundariesByNameAndWhatItLacksIsRefused) {
    const Box box = box_of(1);
    GmshOptions options;
    options.version_2 = true;
    options.free = 1;
    options.absorbing = 2;
    options.names = "3\n2 1 \"free surface\"\n2 2 \"absorbing\"\n3 7 \"rock\"";
    write(GmshOfBox(box, options).text);
    test::expect_box(read(), box);
    options.volume = 0;
    EXPECT_NE(refusal(GmshOfBox(box, options).text).find("in no physical volume: expected one"),
              std::string::npos);
    options.volume = 7;
    std::string cut = GmshOfBox(box, options).text;
    cut.resize(cut.size() - 40);
    EXPECT_NE(refusal(cut).find("expected a whole mesh"), std::string::npos);
    const std::string text = GmshOfBox(box, options).text;
    const std::size_t at = text.find(" 4 2 7 1 ");
    ASSERT_NE(at, std::string::npos);
    EXPECT_NE(refusal(std::string(text).replace(at, 3, " 5 ")).find("type of elements = 5"),
              std::string::npos);
}

// Both sides of the plane x = 0.5 have nodes of their own: no cell lies across until they are one.
TEST_F(GmshForms, NodesThatComeTwiceAreJoined) {
    BoxOptions regular;
    regular.cubes = {2, 2, 2};
    const Box box(regular);
    for (const double fault_at : {-1.0, 0.5}) {
        GmshOptions options;
        options.split_at = 0.5;
        options.fault_at = fault_at;
        const std::string text = GmshOfBox(box, options).text;
        const char* const lacks = fault_at < 0.0 ? "no cell across" : "a fault at an outer face";
        EXPECT_NE(refusal(text).find(lacks), std::string::npos);
        const Slab slab = read_joined(1e-3);
        parallel::SparseExchange exchange(MPI_COMM_WORLD);
        std::int64_t outer = 0, faults = 0;
        for (const auto& across : find_neighbours(MPI_COMM_WORLD, exchange, slab, path))
            outer += std::ranges::count(across, -1, &Across::cell);
        for (const Tetrahedron& cell : slab.cell)
            faults += std::ranges::count(cell.boundary, Boundary::fault);
        EXPECT_EQ(parallel::sum(MPI_COMM_WORLD, outer), 6 * 4 * 2);
        EXPECT_EQ(parallel::sum(MPI_COMM_WORLD, faults), fault_at > 0.0 ? 2 * 4 * 2 : 0);
        EXPECT_THROW(read_joined(0.8), base::Refusal);  // longer than edges
    }
}

// Those of a chain become one, those a little too far apart do not; on whichever ranks they are.
TEST_F(GmshForms, VerticesAreJoinedAlongChains) {
    const int rank = parallel::rank_of(MPI_COMM_WORLD);
    std::vector<JoinedVertex> mine;
    constexpr int chain = 7;
    for (int i = 0; i < chain; ++i)
        if (rank == 0 || i % 2 == 1) mine.push_back({100 - i, {0.9 * i, -5.0, 3.99}});
    mine.push_back({5, {0.9 * (chain - 1) + 1.1, -5.0, 3.99}});
    mine.push_back({4, {0.9 * (chain - 1) + 1.1, -5.0, 5.1}});
    parallel::SparseExchange exchange(MPI_COMM_WORLD);
    join_vertices(MPI_COMM_WORLD, exchange, "mesh", mine, 1.0);
    for (std::size_t i = 0; i + 2 < mine.size(); ++i) {
        EXPECT_EQ(mine[i].number, 100 - chain + 1);
        EXPECT_EQ(mine[i].place, (Point{0.9 * (chain - 1), -5.0, 3.99}));
    }
    EXPECT_EQ(mine[mine.size() - 2].number, 5);
    EXPECT_EQ(mine.back().number, 4);
}

}  // namespace
