// Boxes written as PUML meshes by several ranks are what they read.
#include "groundswell/quake/mesh/write_puml.hpp"

#include <gtest/gtest.h>

#include "support/tetra_on_disk.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::tetra;

class WritePuml : public test::TetraOnDisk {};

TEST_F(WritePuml, WhatIsWrittenIsReadAgain) {
    for (const bool periodic : {false, true}) {
        BoxOptions options;
        options.cubes = {4, 6, 5};
        options.jitter = 0.15;
        options.origin = {-3.0, 2.0, 1.0};
        options.periodic = {true, periodic, false};
        options.boundary[2] = {Boundary::free, Boundary::absorbing};
        if (!periodic) options.periodic = {};
        const Box box(options);
        quake::write_puml(MPI_COMM_WORLD, box, path, true);
        const Slab slab = read();
        test::expect_box(slab, box);
        EXPECT_EQ(slab.group, std::vector<std::int64_t>(slab.cell.size(), 0));
        EXPECT_THROW(quake::write_puml(MPI_COMM_WORLD, box, path, false), base::Refusal);
    }
}

}  // namespace
