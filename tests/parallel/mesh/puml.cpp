// Meshes of the PUML form read in blocks by several ranks.
#include <gtest/gtest.h>

#include "support/puml_of_box.hpp"
#include "support/tetra_on_disk.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::tetra;

class Puml : public test::TetraOnDisk {};

TEST_F(Puml, TagsOfAnyPackingAndIdentifiedVerticesGiveTheCellsOfTheBox) {
    for (const char* format : {"", "i32", "i64", "i32x4"}) {
        for (const bool periodic : {false, true}) {
            BoxOptions options;
            options.cubes = {4, 4, 2};
            options.jitter = 0.1;
            options.periodic = {periodic, periodic, false};
            const Box box(options);
            on_rank_0([&] { test::write_puml(box, path, format); });
            const Slab slab = read();
            test::expect_box(slab, box);
            EXPECT_EQ(slab.group, std::vector<std::int64_t>(slab.cell.size(), 4)) << format;
            parallel::SparseExchange exchange(MPI_COMM_WORLD);
            find_neighbours(MPI_COMM_WORLD, exchange, slab, path);
        }
    }
}

// 16 bits of each face reach beyond 2^32 somewhere, 8 bits of each nowhere.
TEST_F(Puml, NumbersOf64BitsSayHowTheyArePacked) {
    BoxOptions options;
    options.cubes = {3, 2, 2};
    const Box box(options);
    for (const char* format : {"i32", "i64"}) {
        on_rank_0([&] { test::write_puml(box, path, format, 3, true); });
        test::expect_box(read(), box);
    }
}

TEST_F(Puml, WhatIsNotOfTheFormIsRefusedWithItsName) {
    const Box box({});
    const auto says = [&](const std::function<void(int)>& change, const std::string& what) {
        on_rank_0([&] {
            test::write_puml(box, path);
            int file = 0;
            nc_open(path.c_str(), NC_WRITE, &file);
            nc_redef(file);
            change(file);
            nc_close(file);
        });
        std::string said;
        try {
            read();
        } catch (const base::Refusal& error) {
            said = error.what();
        }
        EXPECT_EQ(what.empty() ? said : said.substr(0, path.size() + 2 + what.size()),
                  what.empty() ? "" : path + ": " + what);
    };
    const auto put = [](const char* name, long long value) {
        return [=](int file) {
            int variable = 0;
            nc_enddef(file);
            nc_inq_varid(file, name, &variable);
            const std::size_t at[] = {1, 0};
            nc_put_var1_longlong(file, variable, at, &value);
        };
    };
    says([](int) {}, "");
    says([](int file) { nc_rename_var(file, 1, "conect"); }, "connect: expected a dataset of this name");
    says([](int file) { nc_rename_dim(file, 0, "anything"); }, "");
    says(put("connect", 8), "connect(1, 0) = 8: expected a vertex, 0 to 7");
    says(put("boundary", 4),
         "boundary of face 0 of cell 1 = 4: expected 0 (none), 1 (free surface), 2 (sea surface)");
    says([](int file) { nc_put_att_text(file, NC_GLOBAL, "boundary-format", 3, "i16"); },
         "boundary-format = i16: expected i32, i64 or i32x4");
    says([](int file) { nc_put_att_text(file, NC_GLOBAL, "boundary-format", 5, "i32x4"); },
         "boundary = 1 dimensions: expected as boundary-format says");
    says([](int file) { nc_put_att_text(file, NC_GLOBAL, "topology-format", 13, "identify-face"); },
         "topology-format = identify-face: expected geometric or identify-vertex");
    const auto identified = [&](long long number) {
        return [=](int file) {
            nc_put_att_text(file, NC_GLOBAL, "topology-format", 15, "identify-vertex");
            put("identify", number)(file);
        };
    };
    says(identified(9), "identify(1) = 9: expected a vertex, 0 to 7");
    says(identified(0), "cell 1 = with a vertex twice: expected a period of several cells");
}

}  // namespace
