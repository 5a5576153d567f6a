// Meshes of Gmsh read in blocks by several ranks.
#include <gtest/gtest.h>

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
    options.origin = {0.0, 0.0, -1.0 / 3.0};
    options.jitter = 0.1;
    return Box(options);
}

std::string gmsh_of(const Box& box, const GmshOptions& options = {}) {
    return GmshOfBox(box, options).text;
}

std::string replaced(std::string text, const std::string& old, const std::string& with) {
    const std::size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return text.replace(at, old.size(), with);
}

class Gmsh : public test::TetraOnDisk {};

TEST_F(Gmsh, TextAndBytesGiveTheCellsOfTheBox) {
    const Box box = box_of(3);
    for (const bool binary : {false, true}) {
        for (const bool inverted : {false, true}) {
            GmshOptions options;
            options.binary = binary;
            options.inverted = inverted;
            write(gmsh_of(box, options));
            const Slab slab = read();
            test::expect_box(slab, box);
            EXPECT_EQ(slab.group, std::vector<std::int64_t>(slab.cell.size(), 7));
        }
    }
}

TEST_F(Gmsh, AFaultIsSeenFromBothSides) {
    BoxOptions regular;
    regular.cubes = {2, 2, 2};
    const Box box(regular);
    GmshOptions options;
    options.fault_at = 0.5;
    write(gmsh_of(box, options));
    const Slab slab = read();
    parallel::SparseExchange exchange(MPI_COMM_WORLD);
    find_neighbours(MPI_COMM_WORLD, exchange, slab, path);
    std::int64_t sides = 0;
    for (const Tetrahedron& cell : slab.cell) sides += std::ranges::count(cell.boundary, Boundary::fault);
    std::int64_t all = 0;
    MPI_Allreduce(&sides, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(all, 2 * 2 * 4);  // two triangles a square, seen twice
}

TEST_F(Gmsh, NamesSayWhatNumbersDoNot) {
    const Box box = box_of(1);
    GmshOptions options;
    options.free = 5;  // as Gmsh may count them; the names decide
    options.absorbing = 1;
    options.names = "3\n2 5 \"Free_surface\"\n2 1 \"absorbing\"\n3 7 \"rock\"";
    write(gmsh_of(box, options));
    test::expect_box(read(), box);
    options.names = "1\n2 5 \"top\"";
    EXPECT_NE(refusal(gmsh_of(box, options)).find("physical surface = 5 \"top\": expected one that says"),
              std::string::npos);
}

TEST_F(Gmsh, WhatIsNoMeshOfOursIsRefusedWithItsName) {
    const Box box = box_of(1);
    const std::string good = gmsh_of(box);
    EXPECT_EQ(refusal(good), "");
    const auto says = [&](const std::string& bytes, const std::string& what) {
        const std::string said = refusal(bytes);
        EXPECT_NE(said.find(what), std::string::npos) << said;
        EXPECT_EQ(said.find(path), 0u) << said;
    };
    says(replaced(good, "4.1 0", "4.0 0"),
         ":2: version of the format = 4.0: expected 4.1 or 2.2: gmsh " + path);
    says(replaced(good, "$MeshFormat", "$MashFormat"), "or PUML (HDF5)");
    says(replaced(good, "3 1 4 5\n", "3 1 5 5\n"), "type of elements = 5: expected 4 or 11");
    says(replaced(good, "$Entities", "$PartitionedEntities"), "has not cut into parts");
    says(replaced(good, "$EndElements", "$EndElement"), "expected $EndElements");
    says(replaced(good, "$EndElements\n", ""), "the file ends: expected a whole mesh");
    says(replaced(good, " -0.3", " -O.3"), "coordinate = -O.3");
    says(replaced(good, " -0.3", " -nan.3"), "coordinate = -nan.3");
    says(replaced(good, "\n10\n", "\n13\n"), "tag of a node = 13, of two nodes: expected one node");
    says(replaced(good, "\n10\n", "\n9\n"), "tag of a node = 9: expected 10 to 31");
    says(replaced(good, "2 8 10 31", "2 9 10 31"), "number of nodes = 9: expected 8");
    GmshOptions options;
    options.volume = 0;
    says(gmsh_of(box, options), "volume 1 = in no physical volume: expected one");
    options = {};
    options.free = 0;  // faces without a tag
    says(gmsh_of(box, options), "no cell across and no boundary");
    for (const int unknown : {4, 106, 64, 164, 65637}) {
        options.free = unknown;
        says(gmsh_of(box, options), fmt::format("physical surface = {}: expected one", unknown));
    }
    options = {};
    options.fault_at = 0.0;  // an outer face, which is no place for a fault
    says(gmsh_of(box, options), "the tag 3 of a fault at an outer face");
    // A corner twice; a triangle between no cells.
    const std::size_t last = good.rfind('\n', good.find("$EndElements") - 2) + 1;
    const std::string element = good.substr(last, good.find('\n', last) - last);
    const std::size_t second = element.find(' ') + 1;
    const std::string node = element.substr(second, element.find(' ', second) - second);
    says(replaced(good, element, fmt::format("18 {0} {0} 10 13", node)), "a tetrahedron that is not flat");
}

}  // namespace
