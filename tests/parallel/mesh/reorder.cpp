// The process with a new rank holds the part of that rank, whether the library moves ranks or not.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>
#include <string_view>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/voronoi/load.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"
#include "support/mesh/mesh_parts.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::voronoi;
using namespace groundswell::voronoi::test;

/// What the library moved, or is taken to have moved.
class MeshReorder : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override { setenv("GROUNDSWELL_TEST_REORDER", GetParam(), 1); }
    void TearDown() override {
        unsetenv("GROUNDSWELL_TEST_REORDER");
        unsetenv("GROUNDSWELL_TEST_HOSTS");
    }
};

TEST_P(MeshReorder, EachProcessGetsThePartOfItsNewRank) {
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    LoadOptions options;
    options.layers = 2;
    const std::string_view moved = GetParam();
    const LoadedMesh stayed = load_mesh(
        MPI_COMM_WORLD, [] { return globe(16); }, options);
    EXPECT_EQ(stayed.report.moved_ranks, 0);
    options.reorder = true;
    const LoadedMesh loaded = load_mesh(
        MPI_COMM_WORLD, [] { return globe(16); }, options);

    const int rank = loaded.comm.rank(), world = rank_of_world();
    EXPECT_EQ(loaded.comm.size(), size);
    const int expected = moved == "reverse" ? size - 1 - world : (world + 1) % size;
    EXPECT_TRUE(moved.empty() || rank == expected) << rank;
    EXPECT_EQ(loaded.report.moved_ranks, sum(rank != world ? 1 : 0, MPI_INT));
    ASSERT_GT(loaded.mesh.owned, 0);
    for (std::int32_t c = 0; c < loaded.mesh.owned; ++c) EXPECT_EQ(loaded.mesh.owner[c], rank);
    // Of the same cells: part p is the same whoever holds it.
    const std::int64_t lowest = stayed.mesh.owned_ids().front();
    std::vector<std::int64_t> of_rank(size), of_new_rank(size);
    MPI_Allgather(&lowest, 1, MPI_INT64_T, of_rank.data(), 1, MPI_INT64_T, MPI_COMM_WORLD);
    const std::int64_t mine = loaded.mesh.owned_ids().front();
    MPI_Allgather(&mine, 1, MPI_INT64_T, of_new_rank.data(), 1, MPI_INT64_T, loaded.comm.get());
    EXPECT_EQ(of_rank, of_new_rank);
    EXPECT_EQ(fingerprint(MPI_COMM_WORLD, loaded.mesh), fingerprint(MPI_COMM_WORLD, stayed.mesh));
}

TEST_P(MeshReorder, TellsWhatTheNewRanksCostBetweenHosts) {
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 4) GTEST_SKIP() << "for four ranks";
    setenv("GROUNDSWELL_TEST_HOSTS", "2", 1);
    LoadOptions options;
    options.reorder = true;
    const LoadReport report = load_mesh(
                                  MPI_COMM_WORLD, [] { return globe(16); }, options)
                                  .report;
    EXPECT_GT(report.partition.host_cut, 0);
    // Turned round, ranks 0 and 1 still share a host; moved by one they do not.
    if (std::string_view(GetParam()) == "rotate") {
        EXPECT_GT(report.host_cut_after_reorder, report.partition.host_cut);
    } else {
        EXPECT_EQ(report.host_cut_after_reorder, report.partition.host_cut);
    }
}

TEST_P(MeshReorder, WorksWhereRanksHaveNoCells) {
    LoadOptions options;
    options.reorder = true;
    const LoadedMesh one = load_mesh(
        MPI_COMM_WORLD,
        [] { return hexagonal_patch(1, 1, 1e4, 0.0, 0.0, [](double, double) { return 9.0; }); }, options);
    EXPECT_EQ(sum<std::int64_t>(one.mesh.owned, MPI_INT64_T), 1);
}

INSTANTIATE_TEST_SUITE_P(ByTheLibrary, MeshReorder, testing::Values("", "reverse", "rotate"));

TEST(MeshReorderPretence, AnUnknownPretenceIsRefusedOnAllRanks) {
    setenv("GROUNDSWELL_TEST_REORDER", "shuffle", 1);
    LoadOptions options;
    EXPECT_NO_THROW(load_mesh(
        MPI_COMM_WORLD, [] { return icosahedral(2, 10.0); }, options));
    options.reorder = true;
    EXPECT_THROW(load_mesh(
                     MPI_COMM_WORLD, [] { return icosahedral(2, 10.0); }, options),
                 base::Refusal);
    unsetenv("GROUNDSWELL_TEST_REORDER");
}

}  // namespace
