// Reading MPAS-format meshes: what is written comes back, a genuine file loads, each kind of damage is
// refused.
#include <gtest/gtest.h>
#include <netcdf.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <numeric>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/mesh/voronoi/mesh_file.hpp"
#include "groundswell/mesh/voronoi/mpas/mpas_arrays.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"
#include "support/mesh/write_mesh.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::graph;
using namespace groundswell::voronoi;

class MeshFile : public testing::Test {
protected:
    void SetUp() override {
        const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
        path =
            (std::filesystem::temp_directory_path() / ("gs_mesh_" + std::to_string(getpid()) + test + ".nc"))
                .string();
        write_mesh(icosahedral(2, 4000.0), path);
    }
    void TearDown() override { std::filesystem::remove(path); }

    /// The message with which the file is refused; empty if it is not.
    static std::string refusal(const std::string& file, const ReadOptions& options = {}) {
        try {
            read_mesh(file, options);
        } catch (const base::Refusal& error) {
            return error.what();
        }
        return {};
    }

    void edit(const std::function<void(int)>& change) const {
        int id = 0;
        ASSERT_EQ(nc_open(path.c_str(), NC_WRITE, &id), NC_NOERR);
        change(id);
        ASSERT_EQ(nc_close(id), NC_NOERR);
    }
    void set(const char* variable, std::vector<std::size_t> index, double value) const {
        edit([&](int id) {
            int v = 0;
            ASSERT_EQ(nc_inq_varid(id, variable, &v), NC_NOERR);
            ASSERT_EQ(nc_put_var1_double(id, v, index.data(), &value), NC_NOERR);
        });
    }
    void rename(const char* variable, const char* to) const {
        edit([&](int id) {
            int v = 0;
            ASSERT_EQ(nc_inq_varid(id, variable, &v), NC_NOERR);
            nc_redef(id);
            ASSERT_EQ(nc_rename_var(id, v, to), NC_NOERR);
        });
    }
    void expect_refused(const std::vector<std::string>& words) const {
        const std::string message = refusal(path);
        EXPECT_NE(message.find(path), std::string::npos) << "no file in: " << message;
        for (const std::string& word : words) {
            EXPECT_NE(message.find(word), std::string::npos) << "no '" << word << "' in: " << message;
        }
    }

    std::string path;
};

TEST_F(MeshFile, WhatIsWrittenComesBack) {
    const GlobalMesh made = icosahedral(2, 4000.0), read = read_mesh(path);
    EXPECT_EQ(read.radius, made.radius);
    EXPECT_EQ(read.lon, made.lon);
    EXPECT_EQ(read.lat, made.lat);
    EXPECT_EQ(read.area, made.area);
    EXPECT_EQ(read.depth, made.depth);
    EXPECT_EQ(read.mesh_cell, made.mesh_cell);
    EXPECT_EQ(read.offset, made.offset);
    EXPECT_EQ(read.neighbour, made.neighbour);
    EXPECT_EQ(read.edge, made.edge);
    EXPECT_EQ(read.corner, made.corner);
    EXPECT_EQ(read.edge_length, made.edge_length);
    EXPECT_EQ(read.edge_distance, made.edge_distance);
    EXPECT_EQ(read.vertex_lat, made.vertex_lat);
    EXPECT_EQ(identity(read), identity(made));
}

TEST_F(MeshFile, APartOfAMeshIsWrittenWithoutWhatItDoesNotUse) {
    const std::vector<std::int32_t> half = {0, 3, 4, 5, 11, 12, 13};
    const GlobalMesh part = take_cells(icosahedral(2, 4000.0), half);
    write_mesh(part, path);
    const GlobalMesh read = read_mesh(path);
    EXPECT_EQ(read.neighbour, part.neighbour);
    EXPECT_EQ(read.area, part.area);
    EXPECT_LT(read.edges(), part.edges());
}

TEST_F(MeshFile, AMeshOfTheUnitSphereIsScaledToTheEarth) {
    GlobalMesh unit_mesh = icosahedral(2, 4000.0);
    const double r = base::earth_radius;
    unit_mesh.radius = 1.0;
    for (double& area : unit_mesh.area) area /= r * r;
    for (double& length : unit_mesh.edge_length) length /= r;
    for (double& length : unit_mesh.edge_distance) length /= r;
    write_mesh(unit_mesh, path);
    const GlobalMesh read = read_mesh(path);
    EXPECT_EQ(read.radius, r);
    EXPECT_NEAR(std::accumulate(read.area.begin(), read.area.end(), 0.0) / (4.0 * base::pi * r * r), 1.0,
                1e-12);
    EXPECT_NEAR(read.edge_distance[0] / icosahedral(2, 1.0).edge_distance[0], 1.0, 1e-14);
}

TEST_F(MeshFile, AClockwiseFileGivesAnticlockwiseCorners) {
    MpasArrays a = read_arrays(path);
    for (std::int32_t c = 0; c < a.cells; ++c) {
        const auto begin = [&](std::vector<std::int32_t>& v) { return v.begin() + c * a.max_edges; };
        for (auto* list : {&a.cells_on_cell, &a.edges_on_cell, &a.vertices_on_cell}) {
            std::reverse(begin(*list), begin(*list) + a.edges_on_cell_count[c]);
        }
    }
    edit([&](int id) {
        for (const auto& [name, values] : {std::pair{"cellsOnCell", &a.cells_on_cell},
                                           {"edgesOnCell", &a.edges_on_cell},
                                           {"verticesOnCell", &a.vertices_on_cell}}) {
            int v = 0;
            ASSERT_EQ(nc_inq_varid(id, name, &v), NC_NOERR);
            ASSERT_EQ(nc_put_var_int(id, v, values->data()), NC_NOERR);
        }
    });
    const GlobalMesh mesh = read_mesh(path);
    for (std::int32_t c = 0; c < mesh.cells(); ++c) {
        for (std::int64_t j = mesh.offset[c]; j < mesh.offset[c + 1]; ++j) {
            const std::int64_t before = j > mesh.offset[c] ? j - 1 : mesh.offset[c + 1] - 1;
            const auto point = [&](std::int32_t v) {
                return point_at(mesh.vertex_lon[v], mesh.vertex_lat[v]);
            };
            EXPECT_GT(triangle_area(point_at(mesh.lon[c], mesh.lat[c]), point(mesh.corner[before]),
                                    point(mesh.corner[j])),
                      0.0);
            const std::int32_t e = mesh.edge[j];
            EXPECT_TRUE((mesh.edge_end1[e] == mesh.corner[before] && mesh.edge_end2[e] == mesh.corner[j]) ||
                        (mesh.edge_end2[e] == mesh.corner[before] && mesh.edge_end1[e] == mesh.corner[j]));
        }
    }
}

TEST_F(MeshFile, AUniformDepthReplacesTheFile) {
    rename("bottomDepth", "other");
    expect_refused({"bottomDepth", "expected"});
    EXPECT_EQ(read_mesh(path, {.uniform_depth = 50.0}).depth, std::vector<double>(42, 50.0));
}

TEST_F(MeshFile, RefusesAFileThatIsNone) {
    EXPECT_NE(refusal("/nowhere/mesh.nc").find("/nowhere/mesh.nc"), std::string::npos);
    std::ofstream(path) << "no mesh";
    expect_refused({"a NetCDF mesh file that can be read"});
}

TEST_F(MeshFile, RefusesAMissingVariable) {
    rename("cellsOnCell", "other");
    expect_refused({"cellsOnCell", "expected a variable", "(42, 6)"});
}

TEST_F(MeshFile, RefusesAWrongSize) {
    rename("areaCell", "spare");
    rename("dvEdge", "areaCell");
    expect_refused({"areaCell", "(120)", "expected shape (42)"});
}

TEST_F(MeshFile, RefusesAPlane) {
    edit([](int id) {
        nc_redef(id);
        nc_put_att_text(id, NC_GLOBAL, "on_a_sphere", 2, "NO");
    });
    expect_refused({"on_a_sphere = NO", "expected YES"});
}

struct Damage {
    const char* variable;
    std::vector<std::size_t> index;
    double value;
    std::vector<std::string> words;
};

TEST_F(MeshFile, RefusesDamagedValuesByNameIndexAndValue) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<Damage> damages = {
        {"cellsOnCell", {4, 1}, 43, {"cellsOnCell(5, 2) = 43", "from 0 to 42"}},
        {"cellsOnCell", {4, 1}, -1, {"cellsOnCell(5, 2) = -1", "from 0 to 42"}},
        {"cellsOnCell", {0, 0}, 12, {"cellsOnCell(1, 1) = 12", "among its neighbours"}},
        {"edgesOnCell", {2, 3}, 0, {"edgesOnCell(3, 4) = 0", "from 1 to 120"}},
        {"edgesOnCell", {2, 3}, 120, {"edgesOnCell(3, 4) = 120", "the edge between cells"}},
        {"verticesOnCell", {2, 3}, 81, {"verticesOnCell(3, 4) = 81", "from 1 to 80"}},
        {"verticesOnCell", {2, 3}, 80, {"verticesOnCell(3, ", "an end of edge"}},
        {"nEdgesOnCell", {7}, 7, {"nEdgesOnCell(8) = 7", "maxEdges = 6"}},
        {"cellsOnEdge", {9, 0}, 99, {"cellsOnEdge(10, 1) = 99", "from 0 to 42"}},
        {"verticesOnEdge", {9, 1}, 0, {"verticesOnEdge(10, 2) = 0", "from 1 to 80"}},
        {"bottomDepth", {41}, nan, {"bottomDepth(42) = nan", "metres"}},
        {"bottomDepth", {41}, 9.96e36, {"bottomDepth(42)", "metres"}},
        {"areaCell", {3}, 0.0, {"areaCell(4) = 0", "positive"}},
        {"areaCell", {3}, -1.0, {"areaCell(4) = -1", "positive"}},
        {"dvEdge", {3}, -5.0, {"dvEdge(4) = -5", "positive"}},
        {"dvEdge", {3}, 5.0, {"dvEdge(4) = 5", "by its coordinates"}},
        {"dcEdge", {3}, 0.0, {"dcEdge(4) = 0", "positive"}},
        {"dcEdge", {3}, 1.0, {"dcEdge(4) = 1", "by its coordinates"}},
        {"latCell", {3}, 45.0, {"latCell(4) = 45", "radians"}},
        {"lonVertex", {3}, nan, {"lonVertex(4) = nan", "radians"}},
        {"angleEdge", {3}, 20.0, {"angleEdge(4) = 20", "anticlockwise from east"}},
    };
    for (const Damage& damage : damages) {
        write_mesh(icosahedral(2, 4000.0), path);
        ASSERT_EQ(refusal(path), "");
        set(damage.variable, damage.index, damage.value);
        expect_refused(damage.words);
    }
}

TEST_F(MeshFile, AtTheRimADistanceMayBeMissingButNotBeNoNumber) {
    const double inf = std::numeric_limits<double>::infinity();
    const auto make = [] { return hexagonal_patch(3, 3, 1e4, 0.0, 0.0, [](double, double) { return 9.0; }); };
    write_mesh(make(), path);
    const MpasArrays arrays = read_arrays(path);
    std::size_t rim = 0;
    while (arrays.cells_on_edge[2 * rim] != 0 && arrays.cells_on_edge[2 * rim + 1] != 0) ++rim;
    set("dcEdge", {rim}, 0.0);
    EXPECT_EQ(refusal(path), "");
    const std::string name = "dcEdge(" + std::to_string(rim + 1) + ") = ";
    for (const double value : {inf, -inf, inf - inf}) {
        set("dcEdge", {rim}, value);
        expect_refused({name, "0 at the rim"});
    }
}

TEST(MeshGenuine, TheFileOf162CellsLoads) {
    const char* folder = std::getenv("GROUNDSWELL_TEST_DATA");
    if (folder == nullptr) GTEST_SKIP() << "needs GROUNDSWELL_TEST_DATA/mesh/mpas_QU_1920km_151026.nc";
    const std::string path = std::string(folder) + "/mesh/mpas_QU_1920km_151026.nc";
    EXPECT_THROW(read_mesh(path), base::Refusal);  // it has no bottomDepth
    const GlobalMesh mesh = read_mesh(path, {.uniform_depth = 4000.0});
    EXPECT_EQ(mesh.cells(), 162);
    EXPECT_EQ(mesh.edges(), 480);
    EXPECT_EQ(mesh.vertices(), 320);
    const double sphere = 4.0 * base::pi * base::earth_radius * base::earth_radius;
    // The file's areas are single-precision sums of triangles.
    EXPECT_NEAR(std::accumulate(mesh.area.begin(), mesh.area.end(), 0.0) / sphere, 1.0, 1e-8);
    EXPECT_GT(smallest_spacing(mesh), 1.6e6);
}

}  // namespace
