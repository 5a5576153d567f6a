// A mesh file that every rank reads a slab of: the parts are those of the whole mesh on one rank, bit for
// bit, however the file is numbered and stored; what is wrong in one slab, or with one rank, is refused by
// all.
#include <gtest/gtest.h>
#include <mpi.h>
#include <netcdf.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <numeric>
#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/voronoi/load.hpp"
#include "groundswell/mesh/voronoi/mesh_file.hpp"
#include "groundswell/mesh/voronoi/ordering.hpp"
#include "groundswell/mesh/voronoi/parts/extractor.hpp"
#include "groundswell/mesh/voronoi/parts/outline.hpp"
#include "groundswell/mesh/voronoi/parts/slab.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"
#include "support/mesh/mesh_on_disk.hpp"
#include "support/mesh/write_mesh.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::graph;
using namespace groundswell::voronoi;
using namespace groundswell::voronoi::test;

class MeshSlabs : public MeshOnDisk {
protected:
    void set(const char* variable, std::vector<std::size_t> index, double value) const {
        on_rank_0([&] {
            int id = 0, v = 0;
            ASSERT_EQ(nc_open(path.c_str(), NC_WRITE, &id), NC_NOERR);
            ASSERT_EQ(nc_inq_varid(id, variable, &v), NC_NOERR);
            ASSERT_EQ(nc_put_var1_double(id, v, index.data(), &value), NC_NOERR);
            ASSERT_EQ(nc_close(id), NC_NOERR);
        });
    }

    /// The mesh of the file, held by this rank alone.
    LocalMesh alone(int layers, const ReadOptions& options = {}) const {
        CullReport report;
        const GlobalMesh mesh = order_along_curve(cull(read_mesh(path, options), {}, report));
        const std::vector<int> part(mesh.cells(), 0);
        return Extractor(mesh, part, 1, layers).local_mesh(0);
    }

    void expect_same_as_alone(const LoadOptions& options) const {
        const LoadedMesh loaded = load_mesh(MPI_COMM_WORLD, path, options);
        const LocalMesh whole = alone(options.layers, options.read);
        EXPECT_EQ(fingerprint(MPI_COMM_WORLD, loaded.mesh), fingerprint(MPI_COMM_SELF, whole));
        EXPECT_EQ(loaded.mesh.identity, whole.identity);
        EXPECT_EQ(loaded.mesh.smallest_spacing, whole.smallest_spacing);
        EXPECT_EQ(loaded.mesh.global_cells, whole.global_cells);
        EXPECT_EQ(loaded.mesh.global_nodes, whole.global_nodes);
        EXPECT_EQ(loaded.mesh.max_edges, whole.max_edges);
        EXPECT_EQ(loaded.mesh.radius, whole.radius);
        // Nodes: each once, at the same place.
        std::vector<double> places(2 * static_cast<std::size_t>(whole.global_nodes), 0.0);
        for (std::size_t n = 0; n < loaded.mesh.node_id.size(); ++n) {
            places[2 * loaded.mesh.node_id[n]] += loaded.mesh.node_lon[n];
            places[2 * loaded.mesh.node_id[n] + 1] += loaded.mesh.node_lat[n];
        }
        MPI_Allreduce(MPI_IN_PLACE, places.data(), static_cast<int>(places.size()), MPI_DOUBLE, MPI_SUM,
                      MPI_COMM_WORLD);
        for (std::size_t n = 0; n < whole.node_id.size(); ++n) {
            EXPECT_EQ(places[2 * whole.node_id[n]], whole.node_lon[n]);
            EXPECT_EQ(places[2 * whole.node_id[n] + 1], whole.node_lat[n]);
        }
    }

    /// The message with which all ranks refuse to load.
    static std::string refusal(const std::string& file) {
        try {
            load_mesh(MPI_COMM_WORLD, file);
        } catch (const base::Refusal& error) {
            return error.what();
        }
        return {};
    }
};

/// The same file in another format of netCDF.
void copy_file(const std::string& from, const std::string& to, int format) {
    int in = 0, out = 0, dimensions = 0, variables = 0, attributes = 0;
    char name[NC_MAX_NAME + 1] = {};
    ASSERT_EQ(nc_open(from.c_str(), NC_NOWRITE, &in), NC_NOERR);
    ASSERT_EQ(nc_create(to.c_str(), NC_CLOBBER | format, &out), NC_NOERR);
    ASSERT_EQ(nc_inq(in, &dimensions, &variables, &attributes, nullptr), NC_NOERR);
    for (int d = 0; d < dimensions; ++d) {
        std::size_t length = 0;
        int copied = 0;
        ASSERT_EQ(nc_inq_dim(in, d, name, &length), NC_NOERR);
        ASSERT_EQ(nc_def_dim(out, name, length, &copied), NC_NOERR);
    }
    for (int a = 0; a < attributes; ++a) {
        ASSERT_EQ(nc_inq_attname(in, NC_GLOBAL, a, name), NC_NOERR);
        ASSERT_EQ(nc_copy_att(in, NC_GLOBAL, name, out, NC_GLOBAL), NC_NOERR);
    }
    nc_enddef(out);
    for (int v = 0; v < variables; ++v) ASSERT_EQ(nc_copy_var(in, v, out), NC_NOERR);
    ASSERT_EQ(nc_close(out), NC_NOERR);
    ASSERT_EQ(nc_close(in), NC_NOERR);
}

TEST_F(MeshSlabs, PartsAreThoseOfTheWholeMesh) {
    for (const bool mixed : {false, true}) {
        write(mixed ? scrambled(globe(14)) : order_along_curve(globe(14)));
        for (const int layers : {1, 2}) {
            LoadOptions options;
            options.layers = layers;
            options.method = mixed ? PartitionMethod::scattered : PartitionMethod::two_level;
            expect_same_as_alone(options);
        }
    }
}

TEST_F(MeshSlabs, HaloCellsAreInTheOrderOfTheMadeMesh) {
    // A mesh that is made and dealt out by rank 0 goes another way: cell for cell the same must come out.
    const auto make = [] { return order_along_curve(globe(9)); };
    write(make());
    LoadOptions options;
    options.layers = 2;
    const LocalMesh read = load_mesh(MPI_COMM_WORLD, path, options).mesh;
    const LocalMesh made = load_mesh(
                               MPI_COMM_WORLD, [&] { return read_mesh(path); }, options)
                               .mesh;
    EXPECT_EQ(read.interior(), made.interior());
    EXPECT_EQ(read.owned, made.owned);
    EXPECT_EQ(read.id, made.id);
    EXPECT_EQ(read.owner, made.owner);
    EXPECT_EQ(read.face, made.face);
    EXPECT_EQ(read.neighbour, made.neighbour);
    EXPECT_EQ(read.edge_bearing, made.edge_bearing);
    EXPECT_EQ(read.corner_node, made.corner_node);
    EXPECT_EQ(read.node_id, made.node_id);
    EXPECT_EQ(read.node_lat, made.node_lat);
}

TEST_F(MeshSlabs, RanksMayBeTurnedRound) {
    write(scrambled(globe(10)));
    LoadOptions options;
    options.reorder = true;
    setenv("GROUNDSWELL_TEST_REORDER", "reverse", 1);
    const LoadedMesh loaded = load_mesh(MPI_COMM_WORLD, path, options);
    unsetenv("GROUNDSWELL_TEST_REORDER");
    for (std::int32_t c = 0; c < loaded.mesh.owned; ++c) EXPECT_EQ(loaded.mesh.owner[c], loaded.comm.rank());
    EXPECT_EQ(fingerprint(MPI_COMM_WORLD, loaded.mesh), fingerprint(MPI_COMM_SELF, alone(1)));
}

TEST_F(MeshSlabs, FewerCellsThanRanks) {
    write(hexagonal_patch(2, 1, 1e4, 0.0, 0.0, [](double, double) { return 9.0; }));
    expect_same_as_alone({});
    const LocalMesh mesh = load_mesh(MPI_COMM_WORLD, path).mesh;
    EXPECT_EQ(sum<std::int64_t>(mesh.owned, MPI_INT64_T), 2);
}

TEST_F(MeshSlabs, AllNetcdfFormatsLoad) {
    write(order_along_curve(globe(8)));
    const std::uint64_t expected = fingerprint(MPI_COMM_WORLD, load_mesh(MPI_COMM_WORLD, path).mesh);
    const std::string original = path + ".copy";
    on_rank_0([&] { std::filesystem::rename(path, original); });
    for (const int format : {0, NC_64BIT_OFFSET, NC_NETCDF4, NC_NETCDF4 | NC_CLASSIC_MODEL}) {
        on_rank_0([&] { copy_file(original, path, format); });
        EXPECT_EQ(fingerprint(MPI_COMM_WORLD, load_mesh(MPI_COMM_WORLD, path).mesh), expected) << format;
    }
    on_rank_0([&] { std::filesystem::remove(original); });
}

TEST_F(MeshSlabs, TheGenuineFileLoads) {
    const char* folder = std::getenv("GROUNDSWELL_TEST_DATA");
    if (folder == nullptr) GTEST_SKIP() << "needs GROUNDSWELL_TEST_DATA/mesh/mpas_QU_1920km_151026.nc";
    on_rank_0([&] {
        std::filesystem::copy_file(std::string(folder) + "/mesh/mpas_QU_1920km_151026.nc", path);
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    });
    LoadOptions options;
    options.read.uniform_depth = 4000.0;
    expect_same_as_alone(options);
    EXPECT_NE(refusal(path).find("uniform_depth"), std::string::npos);
}

struct Damage {
    const char* variable;
    std::vector<std::size_t> index;
    double value;
    const char* expected;
};

TEST_F(MeshSlabs, DamageInAnySlabIsRefusedByAll) {
    const GlobalMesh mesh = icosahedral(4, 4000.0);  // 162 cells, 480 edges
    for (const Damage& damage : {Damage{"bottomDepth", {161}, -1e9, "bottomDepth(162)"},
                                 {"cellsOnCell", {150, 1}, 163, "cellsOnCell(151, 2) = 163"},
                                 {"edgesOnCell", {150, 1}, 1, "edgesOnCell(151, 2) = 1"},
                                 {"cellsOnCell", {150, 1}, 1, "OnCell("},
                                 {"cellsOnEdge", {470, 0}, 1, "between cells"},
                                 {"verticesOnEdge", {470, 0}, 1, "verticesOnCell"},
                                 {"dvEdge", {470}, 5.0, "dvEdge(471) = 5"},
                                 {"angleEdge", {470}, 20.0, "angleEdge(471) = 20"}}) {
        write(mesh);
        ASSERT_EQ(refusal(path), "");
        set(damage.variable, damage.index, damage.value);
        const std::string message = refusal(path);
        EXPECT_NE(message.find(damage.expected), std::string::npos) << damage.variable << ": " << message;
        EXPECT_NE(message.find(path), std::string::npos) << message;
    }
}

TEST_F(MeshSlabs, AnEdgeThatNoCellListsIsRefused) {
    // Cell 1 lists edge 2 in place of edge 1, twice, so edge 1 is listed by its other cell alone.
    GlobalMesh mesh = icosahedral(4, 4000.0);
    write(mesh);
    set("edgesOnCell", {0, 0}, mesh.edge[1] + 1);
    EXPECT_NE(refusal(path).find("edgesOnCell(1, "), std::string::npos) << refusal(path);
}

TEST_F(MeshSlabs, RanksThatFindDifferentFilesRefuse) {
    // As if the file had been replaced while ranks were opening it: sizes of slabs do not fit together.
    write(icosahedral(3, 4000.0));
    const std::string other = path + ".other";
    on_rank_0([&] { write_mesh(icosahedral(6, 4000.0), other); });
    const std::string message = refusal(rank_of_world() == ranks - 1 ? other : path);
    EXPECT_EQ(message.find("one file for all ranks") != std::string::npos, ranks > 1) << message;
    on_rank_0([&] { std::filesystem::remove(other); });
}

TEST_F(MeshSlabs, AFileThatChangesBeforeItIsCutIsRefused) {
    write(icosahedral(3, 4000.0));
    parallel::SparseExchange exchange(MPI_COMM_WORLD);
    const Slab slab = read_slab(MPI_COMM_WORLD, exchange, path, {});
    const std::string changed = "expected a file that nobody changes while it is read";
    const auto expect_on_rank_0 = [&](const std::string& expected) {
        on_rank_0([&] {
            CullReport report;
            std::string message;
            try {
                const auto cells = static_cast<std::int32_t>(slab.cells.rows);
                read_outline(path, {}, {}, cells, slab.outline_sum, report);
            } catch (const base::Refusal& error) {
                message = error.what();
            }
            EXPECT_EQ(message, expected);
        });
    };
    expect_on_rank_0("");
    set("bottomDepth", {5}, 4001.0);
    expect_on_rank_0(path + ": " + changed);
    set("bottomDepth", {5}, 4000.0);
    expect_on_rank_0("");
    set("lonCell", {7}, 0.25);
    expect_on_rank_0(path + ": " + changed);
    set("cellsOnCell", {9, 1}, 1e8);
    expect_on_rank_0(path + ": cellsOnCell(10) = 100000000: " + changed);
    set("nEdgesOnCell", {9}, 7);
    expect_on_rank_0(path + ": nEdgesOnCell(10) = 7: " + changed);
    write(icosahedral(4, 4000.0));
    expect_on_rank_0(path + ": nCells = 162: " + changed);
}

TEST_F(MeshSlabs, ARankThatCannotOpenTheFileEndsAll) {
    write(icosahedral(3, 4000.0));
    const std::string mine = rank_of_world() == ranks - 1 ? "/nowhere/mesh.nc" : path;
    EXPECT_NE(refusal(mine).find("/nowhere/mesh.nc"), std::string::npos);
}

}  // namespace
