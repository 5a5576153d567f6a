// Meshes of tetrahedra in files whose bytes were changed, or that end too early.
#include <gtest/gtest.h>

#include "support/gmsh_of_box.hpp"
#include "support/tetra_on_disk.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::tetra;

class DamagedTetra : public test::TetraOnDisk {
protected:
    void attempt(const std::string& bytes) {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
        parallel::SparseExchange exchange(MPI_COMM_SELF);
        try {
            const Slab slab = read_mesh(MPI_COMM_SELF, exchange, path);
            find_neighbours(MPI_COMM_SELF, exchange, slab, path);
            ++taken;
        } catch (const base::Refusal& error) {
            EXPECT_EQ(std::string(error.what()).find(path), 0u) << error.what();
            ++refused;
        }
    }

    int refused = 0, taken = 0;
};

TEST_F(DamagedTetra, GmshIsReadOrRefused) {
    for (const bool binary : {false, true}) {
        test::GmshOptions options;
        options.binary = binary;
        const std::string good = test::GmshOfBox(Box({}), options).text;
        for (std::size_t at = 0; at < good.size(); at += 11) {
            attempt(good.substr(0, at));
            std::string bytes = good;
            bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1u << at % 8));
            attempt(bytes);
        }
    }
    EXPECT_GT(refused, 200);
    EXPECT_GT(taken, 5);  // another coordinate, say
}

}  // namespace
