// A test on all ranks of MPI_COMM_WORLD with a file of a mesh of tetrahedra that they share.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/tetra/slab.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::tetra::test {

class TetraOnDisk : public testing::Test {
protected:
    void SetUp() override {
        int process = static_cast<int>(getpid());
        MPI_Bcast(&process, 1, MPI_INT, 0, MPI_COMM_WORLD);
        const std::string name = "gs_tetra_on_disk_" + std::to_string(process);
        path = (std::filesystem::temp_directory_path() / name).string();
    }
    void TearDown() override {
        on_rank_0([this] { std::filesystem::remove(path); });
    }

    /// Rank 0 does what no other rank may still be reading over, and all wait for it. Collective.
    static void on_rank_0(const std::function<void()>& action) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (parallel::rank_of(MPI_COMM_WORLD) == 0) action();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    void write(const std::string& bytes) const {
        on_rank_0([&] { std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes; });
    }
    /// Collective over MPI_COMM_WORLD.
    Slab read() const {
        parallel::SparseExchange exchange(MPI_COMM_WORLD);
        return read_mesh(MPI_COMM_WORLD, exchange, path);
    }
    /// Why all ranks refuse this file; empty if they do not. Collective.
    std::string refusal(const std::string& bytes) const {
        write(bytes);
        try {
            parallel::SparseExchange exchange(MPI_COMM_WORLD);
            const Slab slab = read_mesh(MPI_COMM_WORLD, exchange, path);
            find_neighbours(MPI_COMM_WORLD, exchange, slab, path);
        } catch (const base::Refusal& error) {
            return error.what();
        }
        return {};
    }

    std::string path;
};

/// The cells are those of the box, in its order.
inline void expect_box(const Slab& slab, const Box& box) {
    EXPECT_EQ(slab.blocks.rows, box.cells());
    ASSERT_EQ(static_cast<std::int64_t>(slab.cell.size()), slab.blocks.mine());
    for (std::size_t c = 0; c < slab.cell.size(); ++c) {
        const Tetrahedron cell = box.cell(slab.blocks.begin() + static_cast<std::int64_t>(c));
        EXPECT_EQ(slab.cell[c].vertex, cell.vertex);
        EXPECT_EQ(slab.cell[c].place, cell.place);
        EXPECT_EQ(slab.cell[c].boundary, cell.boundary);
    }
}

}  // namespace groundswell::tetra::test
