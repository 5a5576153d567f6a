// A test on all ranks of MPI_COMM_WORLD with a mesh file that they share.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "groundswell/mesh/voronoi/mesh_file.hpp"
#include "groundswell/mesh/voronoi/ordering.hpp"
#include "support/mesh/mesh_parts.hpp"
#include "support/mesh/write_mesh.hpp"

namespace groundswell::voronoi::test {

class MeshOnDisk : public testing::Test {
protected:
    void SetUp() override {
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        int process = static_cast<int>(getpid());
        MPI_Bcast(&process, 1, MPI_INT, 0, MPI_COMM_WORLD);
        const std::string name = "gs_mesh_on_disk_" + std::to_string(process) + ".nc";
        path = (std::filesystem::temp_directory_path() / name).string();
    }
    void TearDown() override {
        on_rank_0([this] { std::filesystem::remove(path); });
    }

    /// Rank 0 does what no other rank may still be reading over, and all wait for it. Collective.
    static void on_rank_0(const std::function<void()>& action) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank_of_world() == 0) action();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    void write(const GlobalMesh& mesh) const {
        on_rank_0([&] { write_mesh(mesh, path); });
    }

    std::string path;
    int ranks = 1;
};

/// The cells of a mesh in no order, as files of other programs have them.
inline GlobalMesh scrambled(GlobalMesh mesh) {
    std::vector<std::int32_t> order(mesh.cells());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [](std::int32_t c) { return (c * 2654435761u) & 0xffffu; });
    mesh = take_cells(std::move(mesh), order);
    std::iota(mesh.mesh_cell.begin(), mesh.mesh_cell.end(), 1);
    return mesh;
}

}  // namespace groundswell::voronoi::test
