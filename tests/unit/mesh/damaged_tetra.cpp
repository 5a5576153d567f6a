// Meshes of tetrahedra in files whose bytes were changed, or that end too early.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "groundswell/netcdf/library_call.hpp"
#include "support/gmsh_of_box.hpp"
#include "support/puml_of_box.hpp"
#include "support/tetra_on_disk.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::tetra;

class DamagedTetra : public test::TetraOnDisk {
protected:
    void attempt(const std::string& bytes) {
        // HDF5 goes on believing what it saw of a file that it could not read, so each has a name of its own.
        const std::string name = fmt::format("{}_{}", path, refused + taken);
        std::ofstream(name, std::ios::binary | std::ios::trunc) << bytes;
        parallel::SparseExchange exchange(MPI_COMM_SELF);
        try {
            const Slab slab = read_mesh(MPI_COMM_SELF, exchange, name);
            find_neighbours(MPI_COMM_SELF, exchange, slab, name);
            ++taken;
        } catch (const base::Refusal& error) {
            EXPECT_EQ(std::string(error.what()).find(name), 0u) << error.what();
            ++refused;
        }
        std::filesystem::remove(name);
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

// Bytes of values; those by which HDF5 finds them are for HDF5 to believe, which a process does not always survive.
TEST_F(DamagedTetra, PumlIsReadOrRefused) {
    const Box box({});
    test::write_puml(box, path);
    std::ifstream whole(path, std::ios::binary);
    const std::string good{std::istreambuf_iterator<char>(whole), {}};
    const auto bytes_of = [](const auto& values) {
        return std::string(reinterpret_cast<const char*>(values.data()), sizeof values);
    };
    const std::size_t places = good.find(bytes_of(box.vertex(1).place)) - sizeof(Point);
    const std::size_t corners = good.find(bytes_of(std::array<std::int64_t, 4>{0, 3, 6, 5}));
    ASSERT_LT(std::max(places, corners), good.size());
    const auto flip = [&](std::size_t at) {
        std::string bytes = good;
        bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1u << at % 8));
        attempt(bytes);
    };
    for (std::size_t i = 0; i < 8 * sizeof(Point); i += 3) flip(places + i);
    for (std::size_t i = 0; i < 5 * 4 * 8; i += 3) flip(corners + i);
    EXPECT_GT(refused, 20);
    EXPECT_GT(taken, 20);
    for (std::size_t at = 1; at < good.size() && !netcdf::library_is_lost(); at += 191)
        attempt(good.substr(0, at));
    EXPECT_GT(refused, 70);
}

}  // namespace
