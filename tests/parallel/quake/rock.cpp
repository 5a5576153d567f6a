// Ranks that each read the part of a grid of rock that their elements lie in.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <limits>
#include <memory>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/tetra/slab.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/quake/rock/rock.hpp"
#include "support/quake/rock_grid.hpp"

namespace groundswell::quake {

using namespace groundswell::test;
namespace {

class QuakeRocks : public testing::Test {
protected:
    QuakeRocks() {
        // The folder of rank 0.
        if (parallel::rank_of(MPI_COMM_WORLD) == 0) folder = std::make_unique<TemporaryFolder>();
        char name[256] = {};
        if (folder) folder->file("rock.nc").copy(name, sizeof(name) - 1);
        MPI_Bcast(name, sizeof(name), MPI_CHAR, 0, MPI_COMM_WORLD);
        file = name;
        maker.field = {
            [](double x, double y, double z) { return 2700.0 + 0.1 * std::sin(0.01 * x * y) + 0.01 * z; },
            [](double x, double, double z) { return 6000.0 + 0.05 * x - 0.5 * z; },
            [](double, double y, double z) { return 3000.0 + 0.02 * y - 0.3 * z; }};
        options = read("[0]");
        tetra::BoxOptions box;
        box.cubes = {4, 3, 4};
        box.origin = {-2000.0, 0.0, -3000.0};
        box.length = {4000.0, 3000.0, 3000.0};
        box.jitter = 0.1;
        slab = tetra::slab_of(MPI_COMM_WORLD, tetra::Box(box));
        group.assign(slab.cell.size(), 0);
    }
    /// A case with the grid for some groups, and rock that is the same everywhere for the others.
    RockOptions read(const std::string& groups) const {
        const TemporaryFolder own;
        return test::read_rock(own, "[[material.rock]]\ngroup = " + groups + "\ngrid = \"" + file +
                                        "\"\n[[material.rock]]\ndensity = 2000\nvp = 3000\nvs = 1500\n");
    }
    void write() {
        MPI_Barrier(MPI_COMM_WORLD);
        if (folder) maker.write(file);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    void TearDown() override { MPI_Barrier(MPI_COMM_WORLD); }
    std::vector<Material> materials() { return materials_of(MPI_COMM_WORLD, options, slab.cell, group); }
    /// What all ranks refuse together.
    std::string refusal() {
        write();
        try {
            materials();
        } catch (const base::Refusal& error) {
            EXPECT_NE(dynamic_cast<const parallel::Agreed*>(&error), nullptr);
            return error.what();
        }
        ADD_FAILURE() << "nothing was refused";
        return {};
    }

    std::unique_ptr<TemporaryFolder> folder;
    std::string file;
    RockGridMaker maker;
    RockOptions options;
    tetra::Slab slab;
    std::vector<std::int64_t> group;
};

TEST_F(QuakeRocks, ElementsDoNotKnowWhichRankReadTheirs) {
    // Cell by cell, by a rank that has no other one; every third is of the other group.
    for (std::size_t c = 0; c < group.size(); ++c)
        group[c] = (slab.blocks.begin() + static_cast<std::int64_t>(c)) % 3 == 1 ? 4 : 0;
    write();
    const std::vector<Material> together = materials();
    ASSERT_EQ(together.size(), slab.cell.size());
    RockOptions all = options;
    all.rock[0].groups.clear();
    all.rock.pop_back();
    for (std::size_t c = 0; c < group.size(); c += 7) {
        if (group[c] == 4) {
            EXPECT_EQ(together[c].density, 2000.0);
            continue;
        }
        const Material alone =
            materials_of(MPI_COMM_SELF, all, {&slab.cell[c], 1}, std::span(group).subspan(c, 1)).front();
        EXPECT_EQ(together[c].density, alone.density);
        EXPECT_EQ(together[c].lambda, alone.lambda);
        EXPECT_EQ(together[c].mu, alone.mu);
        EXPECT_NEAR(alone.density, 2700.0, 31.0);
    }
}

TEST_F(QuakeRocks, WhatOneRankFindsAllRefuse) {
    maker.field[1] = [](double x, double y, double z) {
        return x == -2000.0 && y == 0.0 && z == -3000.0 ? std::numeric_limits<double>::quiet_NaN()
                                                        : 6000.0 - z;
    };
    EXPECT_TRUE(says(refusal(), {"rock.nc: vp(0, 0, 0) = (missing)", "an element needs it at ("}));
    options = read("[0, 12]");
    EXPECT_TRUE(says(refusal(), {"case.toml:2", "group = 12", "a group of the mesh: 0"}));
}

TEST_F(QuakeRocks, AGroupOnOneRankWithoutRockIsRefusedByAll) {
    options.rock.pop_back();
    if (slab.blocks.begin() == 0) group[0] = 3;
    EXPECT_TRUE(says(refusal(), {"case.toml", "group 3 of the mesh", "1 of its elements"}));
}

}  // namespace
}  // namespace groundswell::quake
