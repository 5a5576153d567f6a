// A mesh file whose parts were cut beforehand: each rank gets what it would have got from the cut itself, by either form of the file;
// and files that do not belong to the mesh are refused by all ranks.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mpi.h>
#include <netcdf.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/voronoi/load.hpp"
#include "groundswell/mesh/voronoi/ordering.hpp"
#include "groundswell/mesh/voronoi/parts/part_file.hpp"
#include "support/mesh/mesh_on_disk.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::voronoi;
using namespace groundswell::voronoi::test;

class PartFile : public MeshOnDisk {
protected:
    void SetUp() override {
        MeshOnDisk::SetUp();
        write(scrambled(icosahedral(9, [](double lon, double lat) {
            return std::abs(lat - 0.2 * std::sin(3.0 * lon)) < 0.15 ? -10.0
                                                                    : 3000.0 + 100.0 * std::sin(5.0 * lon);
        })));
        whole = read_mesh(path);
        text = path + ".part.txt";
        netcdf = path + ".part.nc";
        // Parts of no pattern, as many as ranks; of land as of sea.
        for (std::int32_t c = 0; c < whole.cells(); ++c)
            part.push_back(static_cast<int>(7 * std::int64_t{c} / 3 % ranks));
    }
    void TearDown() override {
        on_rank_0([&] {
            std::filesystem::remove(text);
            std::filesystem::remove(netcdf);
        });
        MeshOnDisk::TearDown();
    }
    void write_text(const std::string& end_of_line = "\n") const {
        on_rank_0([&] {
            std::ofstream file(text, std::ios::binary);
            for (std::size_t c = 0; c < part.size(); ++c)
                file << part[c] << (c + 1 < part.size() ? end_of_line : "");  // the last line may have no end
        });
    }
    void write_netcdf(std::uint64_t graph, int parts) const {
        on_rank_0([&] {
            int file = 0, cells = 0, variable = 0;
            ASSERT_EQ(nc_create(netcdf.c_str(), NC_CLOBBER, &file), NC_NOERR);
            nc_def_dim(file, "nCells", part.size(), &cells);
            nc_def_var(file, "part", NC_INT, 1, &cells, &variable);
            const std::string sum = fmt::format("{:016x}", graph);
            nc_put_att_text(file, NC_GLOBAL, "graph", sum.size(), sum.data());
            nc_put_att_int(file, NC_GLOBAL, "parts", NC_INT, 1, &parts);
            nc_enddef(file);
            ASSERT_EQ(nc_put_var_int(file, variable, part.data()), NC_NOERR);
            nc_close(file);
        });
    }
    LoadedMesh load(const std::string& file, bool reorder = false) const {
        LoadOptions options;
        options.layers = 2;
        options.part_file = file;
        options.reorder = reorder;
        return load_mesh(MPI_COMM_WORLD, path, options);
    }
    void expect_refusal(const std::string& file, const std::string& word) const {
        try {
            load(file);
            ADD_FAILURE() << "not refused: " << word;
        } catch (const base::Refusal& refusal) {
            EXPECT_NE(std::string(refusal.what()).find(word), std::string::npos) << refusal.what();
        }
    }

    GlobalMesh whole;
    std::string text, netcdf;
    std::vector<int> part;  // of the cells of the file
};

TEST_F(PartFile, EachRankGetsThePartThatTheFileGivesIt) {
    write_text();
    write_netcdf(sum_of_graph(whole, 0), ranks);
    CullReport culled;
    const GlobalMesh sea = order_along_curve(cull(read_mesh(path), {}, culled));
    ASSERT_GT(culled.land, 0);
    std::vector<std::int32_t> mine;
    for (std::int32_t c = 0; c < sea.cells(); ++c) {
        if (part[sea.mesh_cell[c] - 1] == rank_of_world()) mine.push_back(c);
    }
    for (const std::string& file : {text, netcdf}) {
        const LoadedMesh loaded = load(file);
        std::vector<std::int32_t> owned(loaded.mesh.id.begin(), loaded.mesh.id.begin() + loaded.mesh.owned);
        std::ranges::sort(owned);
        EXPECT_EQ(owned, mine) << file;
        EXPECT_EQ(loaded.report.partition.method, graph::PartitionMethod::file);
        EXPECT_EQ(loaded.cost.outline_bytes, 0) << "no rank reads the graph of the whole mesh";
    }
    write_text(" \r\n");  // as other systems write it
    EXPECT_EQ(load(text).mesh.owned, static_cast<std::int32_t>(mine.size()));
}

TEST_F(PartFile, FilesOfAnotherMeshOrNumberOfPartsAreRefused) {
    expect_refusal(text, "cannot be read");
    write_netcdf(sum_of_graph(whole, 0) + 1, ranks);
    expect_refusal(netcdf, "another one with as many cells");
    write_netcdf(sum_of_graph(whole, 0), ranks + 1);
    expect_refusal(netcdf, fmt::format("{}, one for each rank", ranks));
    part[part.size() / 2] = ranks;
    write_text();
    expect_refusal(text, fmt::format("line {} = {}", part.size() / 2 + 1, ranks));
    write_netcdf(sum_of_graph(whole, 0), ranks);
    expect_refusal(netcdf, fmt::format("part of cell {} = {}", part.size() / 2 + 1, ranks));
    const auto wet =
        std::ranges::find_if(whole.depth, [](double depth) { return depth > 100.0; }) - whole.depth.begin();
    part[part.size() / 2] = 0;
    part[wet] = -1;
    write_netcdf(sum_of_graph(whole, 0), ranks);
    expect_refusal(netcdf, fmt::format("part of cell {} = -1", wet + 1));
    write_text();
    expect_refusal(text, fmt::format("line {} = -1", wet + 1));
    part.pop_back();
    write_netcdf(sum_of_graph(whole, 0), ranks);
    expect_refusal(netcdf, fmt::format("parts of {} cells", part.size()));
    part[wet] = 0;
    write_text();
    expect_refusal(text, fmt::format("parts of {} cells", part.size()));
    on_rank_0([&] { std::ofstream(text) << "0\nzero\n"; });
    expect_refusal(text, "parts of 2 cells");
    part.push_back(0);
    write_text();
    on_rank_0([&] {
        std::fstream file(text, std::ios::in | std::ios::out | std::ios::binary);
        file.put('x');
    });
    expect_refusal(text, "line 1 = \"x\"");
}

TEST_F(PartFile, RanksAreNotReordered) {
    write_text();
    EXPECT_THROW(load(text, true), base::Refusal);
}

TEST(PartFileNames, StandBesideTheMesh) {
    const std::vector<std::string> names = part_file_names("meshes/x1.40962.grid.nc", 64);
    const std::vector<std::string> expected{
        "meshes/x1.40962.grid.part.64.nc", "meshes/x1.40962.grid.graph.info.part.64",
        "meshes/x1.40962.graph.info.part.64", "meshes/graph.info.part.64"};
    EXPECT_EQ(names, expected);
}

}  // namespace
