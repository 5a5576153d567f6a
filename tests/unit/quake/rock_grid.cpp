// Rock on grids of NetCDF files, and which files are refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "groundswell/quake/rock/rock.hpp"
#include "support/quake/anisotropic_rock.hpp"
#include "support/quake/rock_grid.hpp"

namespace groundswell::quake {

using namespace groundswell::test;
using test::isotropic_constants;
namespace {

// Straight along each axis: the product of three straight lines, which trilinear interpolation keeps.
double density_at(double x, double y, double z) {
    return 2700.0 + 0.01 * x - 0.1 * z + 1e-5 * x * y + 1e-9 * x * y * z;
}
double vp_at(double x, double y, double z) {
    return 6000.0 + 0.05 * x + 0.02 * y - 0.5 * z - 1e-5 * y * z;
}
double vs_at(double x, double y, double z) {
    return 0.5 * vp_at(x, y, z);
}

class QuakeRockGrid : public testing::Test {
protected:
    QuakeRockGrid() { maker.field = {density_at, vp_at, vs_at}; }

    Rock read(const std::string& more = "") {
        maker.write(folder.file("rock.nc"));
        return read_as_it_is(more);
    }
    Rock read_as_it_is(const std::string& more = "") {
        const RockOptions options =
            groundswell::test::read_rock(folder, "[[material.rock]]\ngrid = \"rock.nc\"\n" + more + "\n");
        EXPECT_EQ(input_files(options), std::vector<std::string>{folder.file("rock.nc")});
        const std::int64_t group = 1;
        return {MPI_COMM_SELF, options, {&cell, 1}, {&group, 1}};
    }
    /// The rock must be that of the fields, wherever there is an element.
    void expect_fields(const Rock& rock) {
        for (const double a : {0.0, 0.21, 0.5})
            for (const double b : {0.0, 0.33, 0.5}) {
                tetra::Point p{};
                for (int j = 0; j < 3; ++j)
                    p[j] = (1.0 - a - b) * cell.place[0][j] + a * cell.place[1][j] +
                           0.5 * b * cell.place[2][j] + 0.5 * b * cell.place[3][j];
                const Material here = rock.at(p, 1);
                EXPECT_NEAR(here.density, density_at(p[0], p[1], p[2]), 1e-9);
                EXPECT_NEAR(here.vp(), vp_at(p[0], p[1], p[2]), 1e-8);
                EXPECT_NEAR(here.vs(), vs_at(p[0], p[1], p[2]), 1e-8);
            }
    }
    std::string refusal(const std::string& more = "") {
        return refusal_of([&] { read(more).of(cell, 1); });
    }

    TemporaryFolder folder;
    RockGridMaker maker;
    tetra::Tetrahedron cell{
        {},
        {{{-1900.0, 10.0, -2900.0}, {1500.0, 2900.0, -1500.0}, {-300.0, 400.0, 0.0}, {0.0, 2000.0, -50.0}}}};
};

TEST_F(QuakeRockGrid, BetweenPointsValuesGoStraight) {
    expect_fields(read());
    maker.order = {0, 1, 2};
    expect_fields(read());
    maker.order = {1, 2, 0};
    maker.format = NC_64BIT_DATA;
    expect_fields(read());
    // From the upper ends.
    for (auto& axis : maker.axis) std::ranges::reverse(axis);
    expect_fields(read());
}

TEST_F(QuakeRockGrid, AxesAndValuesMayHaveOtherUnits) {
    for (auto& axis : maker.axis)
        for (double& value : axis) value *= 1e-3;
    maker.axis_units = {"km", "kilometers", "km"};
    maker.units = {"g/cm3", "km/s", "km s-1"};
    maker.field = {[](double x, double y, double z) { return 1e-3 * density_at(1e3 * x, 1e3 * y, 1e3 * z); },
                   [](double x, double y, double z) { return 1e-3 * vp_at(1e3 * x, 1e3 * y, 1e3 * z); },
                   [](double x, double y, double z) { return 1e-3 * vs_at(1e3 * x, 1e3 * y, 1e3 * z); }};
    expect_fields(read());
}

TEST_F(QuakeRockGrid, DepthsGoDown) {
    for (double& z : maker.axis[2]) z = -z;
    for (auto& field : maker.field) field = [f = field](double x, double y, double z) { return f(x, y, -z); };
    maker.axis_name[2] = "depth";
    expect_fields(read());
    maker.axis_name[2] = "z";
    maker.positive = "down";
    expect_fields(read());
    maker.positive = "sideways";
    EXPECT_TRUE(says(refusal(), {"rock.nc: z:positive = sideways: expected up or down"}));
}

TEST_F(QuakeRockGrid, ModuliStandForSpeeds) {
    maker.name = {"rho", "lambda", "mu"};
    maker.units = {"kg m-3", "GPa", "GPa"};
    maker.field = {[](double, double, double) { return 2700.0; },
                   [](double, double, double z) { return 30.0 - 1e-3 * z; },
                   [](double, double, double z) { return 32.0 - 1e-3 * z; }};
    const Material there = read().at({0.0, 1000.0, -2000.0}, 1);
    EXPECT_NEAR(there.lambda, 32e9, 1e-3);
    EXPECT_NEAR(there.mu, 34e9, 1e-3);
}

TEST_F(QuakeRockGrid, AGridMayDependOnTheHeightAlone) {
    maker.profile = true;
    const Material there = read().at({-1000.0, 2000.0, -2000.0}, 1);
    EXPECT_NEAR(there.density, density_at(0.0, 0.0, -2000.0), 1e-9);
    EXPECT_NEAR(there.vp(), vp_at(0.0, 0.0, -2000.0), 1e-8);
}

TEST_F(QuakeRockGrid, PackedValuesAreUnpacked) {
    maker.scale = 0.5;
    const Material there = read().at({-500.0, 1000.0, -1000.0}, 1);
    EXPECT_NEAR(there.density, density_at(-500.0, 1000.0, -1000.0), 0.25);
}

TEST_F(QuakeRockGrid, BeyondTheEdgesTheyHoldOnlyIfAsked) {
    cell.place[0] = {-2500.0, 100.0, -100.0};
    EXPECT_TRUE(
        says(refusal(), {"rock.nc: grid along x = -2000 … 2000 m", "at (-2", "outside = \"nearest\""}));
    const Rock rock = read("outside = \"nearest\"");
    EXPECT_NEAR(rock.at({-2500.0, 100.0, -100.0}, 1).density, density_at(-2000.0, 100.0, -100.0), 1e-9);
    // Rounding at an edge is none of it.
    cell.place[0] = {-2000.0 - 1e-4, 100.0, -100.0};
    EXPECT_NEAR(read().at(cell.place[0], 1).density, density_at(-2000.0, 100.0, -100.0), 1e-9);
}

TEST_F(QuakeRockGrid, HolesAreRefusedOnlyWhereAnElementNeedsThem) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    maker.field[2] = [&](double x, double y, double z) {
        return x == 2000.0 && y == 3000.0 && z == -200.0 ? nan : vs_at(x, y, z);
    };
    cell.place[1] = {1900.0, 2900.0, -500.0};
    for (const double scale : {1.0, 0.5}) {
        maker.scale = scale;
        EXPECT_TRUE(says(refusal(), {"rock.nc: vs(2, 2, 3) = (missing)", "an element needs it at ("}));
    }
    cell.place[1] = {900.0, 900.0, -1500.0};
    cell.place[3] = {0.0, 900.0, -50.0};
    read().of(cell, 1);
}

TEST_F(QuakeRockGrid, ValuesThatNoRockHasAreRefusedWithTheirPlace) {
    for (int v = 0; v < 3; ++v) {
        maker.field = {density_at, vp_at, vs_at};
        maker.field[v] = [f = maker.field[v]](double x, double y, double z) {
            return x == -500.0 && y == 1000.0 && z == -1000.0 ? -1.0 : f(x, y, z);
        };
        EXPECT_TRUE(says(refusal(), {maker.name[v] + "(1, 1, 1) = -1", "expected a number above 0"}));
    }
    maker.field[2] = vp_at;
    EXPECT_TRUE(says(refusal(), {"vs(", "vp √3 / 2"}));
}

TEST_F(QuakeRockGrid, FilesOfAnotherFormAreRefused) {
    const auto with = [&](auto&& change) {
        const RockGridMaker sound = maker;
        change();
        std::string message = refusal();
        maker = sound;
        return message;
    };
    EXPECT_TRUE(
        says(with([&] { maker.units[0] = ""; }), {"rock.nc: density:units = (none): expected kg m-3"}));
    EXPECT_TRUE(
        says(with([&] { maker.units[1] = "knots"; }), {"vp:units = knots: expected m s-1 or km s-1"}));
    EXPECT_TRUE(says(with([&] { maker.axis_units[2] = ""; }), {"z:units = (none): expected m or km"}));
    EXPECT_TRUE(says(with([&] { maker.axis_units[0] = "degrees_east"; }), {"degrees_east", "projected"}));
    EXPECT_TRUE(says(with([&] { maker.axis[1] = {0.0, 2000.0, 1000.0}; }), {"y(2) = 1000", "all increase"}));
    EXPECT_TRUE(says(with([&] { maker.axis[1] = {0.0, 0.0, 1000.0}; }), {"y(1) = 0", "all increase"}));
    EXPECT_TRUE(says(with([&] { maker.axis[1] = {0.0}; }), {"y = 1 values: expected two or more"}));
    EXPECT_TRUE(
        says(with([&] { maker.axis_name[0] = "latitude"; }), {"(z, y, latitude)", "dimensions x, y and z"}));
    EXPECT_TRUE(
        says(with([&] { maker.name[2] = "shear"; }), {"variables = x, y, z, density, vp, shear", "vs"}));
    maker.write(folder.file("rock.nc"));
    EXPECT_TRUE(says(refusal_of([&] {
                         std::filesystem::resize_file(folder.file("rock.nc"), 100);
                         read_as_it_is();
                     }),
                     {"rock.nc"}));
    maker.format = NC_64BIT_DATA;
    maker.write(folder.file("rock.nc"));
    EXPECT_TRUE(says(refusal_of([&] {
                         std::filesystem::resize_file(folder.file("rock.nc"),
                                                      std::filesystem::file_size(folder.file("rock.nc")) - 8);
                         read_as_it_is();
                     }),
                     {"rock.nc", "vs"}));
    std::filesystem::remove(folder.file("rock.nc"));
    EXPECT_TRUE(says(refusal_of([&] { read_as_it_is(); }), {"rock.nc"}));
}

// The 21 constants of a shale, whose stiffness grows straight with depth.
class AnisotropicGrid : public QuakeRockGrid {
protected:
    AnisotropicGrid() {
        maker.name = {"density"};
        maker.units = {"kg m-3"};
        maker.field = {density_at};
        for (int i = 0; i < elastic_constants; ++i) {
            maker.name.push_back(name_of_constant(i));
            maker.units.push_back("GPa");
            maker.field.push_back([this, i](double, double, double z) { return constant_at(i, z); });
        }
    }
    double constant_at(int i, double z) const {
        return isotropic_constants(20.0, 25.0)[i] * (1.0 - 1e-4 * z) + (i == odd ? by : 0.0);
    }

    int odd = 20;  // c66
    double by = 10.0;
};

TEST_F(AnisotropicGrid, ConstantsGoStraightBetweenPoints) {
    const tetra::Point place{-300.0, 400.0, -1234.0};
    const Material rock = read().at(place, 1);
    ASSERT_TRUE(rock.is_anisotropic());
    std::vector<double> constants;
    for (int i = 0; i < elastic_constants; ++i) constants.push_back(1e9 * constant_at(i, place[2]));
    const Stiffness wanted(constants);
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) EXPECT_NEAR(rock.stiffness->matrix()[i][j], wanted.matrix()[i][j], 1.0);
    }
}

TEST_F(AnisotropicGrid, WhatIsNotPositiveDefiniteIsRefusedWithItsPlaceInTheFile) {
    by = -50.0;  // c66 below 0
    EXPECT_TRUE(says(refusal(), {"rock.nc", "c66(", "positive definite"})) << refusal();
    by = 0.0;
    maker.name[21] = "c99";
    EXPECT_TRUE(says(refusal(), {"c11", "c66 is missing"})) << refusal();
}

}  // namespace
}  // namespace groundswell::quake
