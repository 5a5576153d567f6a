// Many more ranks than cores read a mesh of tetrahedra, find what lies across faces and which elements step together, and deal the
// elements out: with as many elements to a rank it costs a rank among 64 what it costs one among 16, rank 0 included, and of
// one mesh 64 ranks read, send and hold less each than 4 do.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "groundswell/quake/case_parts.hpp"
#include "support/many_ranks.hpp"
#include "support/puml_of_box.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::test;

class ManyStarts : public StartAmongRanks {
protected:
    /// 5 · 8³ elements on 4 ranks and four times as many for four times the ranks, or one size for all.
    static tetra::Box box(int ranks) {
        tetra::BoxOptions options;
        const auto times = [&](double share) { return std::llround(8.0 * std::pow(ranks / 4.0, share)); };
        options.cubes = {times(0.5), times(0.5), 8};
        options.length = {100.0 * static_cast<double>(options.cubes[0]),
                          100.0 * static_cast<double>(options.cubes[1]), 800.0};
        options.jitter = 0.1;
        return tetra::Box(options);
    }
    Costs start(MPI_Comm comm) const {
        quake::Case run;
        run.mesh.file = path;
        // Slow rock over fast rock: elements of two clusters.
        const quake::StatedRock soft{2000.0, 2000.0, 1000.0}, hard{2700.0, 6000.0, 3464.0};
        run.rock =
            quake::RockOptions{true, {{{}, quake::RockProfile{{{800.0, soft}, {400.0, hard}}}, ""}}, ""};
        parallel::ReadCost cost;
        const std::int64_t held = peak_of([&] {
            const quake::Domain domain = quake::domain_of(comm, run);
            EXPECT_GT(domain.clusters.cells.size(), 1u);
            cost = domain.cost;
        });
        return worst_costs(comm, cost, held);
    }
};

TEST_F(ManyStarts, AMeshOfAsManyElementsToARankCostsEachAsMuch) {
    expect_as_much_of_all(among(
        "ground, 640 elements", [&](int ranks) { tetra::test::write_puml(box(ranks), path); },
        [&](MPI_Comm comm) { return start(comm); }));
}

TEST_F(ManyStarts, OfOneMeshManyRanksReadSendAndHoldLessEach) {
    const auto of = among(
        "ground, 10 240 elements",
        [&](int ranks) {
            if (ranks == 4) tetra::test::write_puml(box(16), path);
        },
        [&](MPI_Comm comm) { return start(comm); });
    for (std::size_t i = 1; i < of.size(); ++i) {
        EXPECT_LT(of[i].read.others, of[i - 1].read.others);
        EXPECT_LT(of[i].sent.others, of[i - 1].sent.others);
        EXPECT_LT(of[i].held.others, of[i - 1].held.others);
    }
}

}  // namespace
