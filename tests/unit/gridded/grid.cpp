// A point's value is (1-a)(1-b) f00 + a(1-b) f01 + (1-a)b f10 + ab f11 on any latitude/longitude grid.
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/gridded/grid_window.hpp"
#include "support/wind_files.hpp"

namespace groundswell::gridded {

using namespace test;
namespace {

using base::degree;

// The interpolated value of f(column, row) at a point in degrees.
template <class F>
double interpolate(const HorizontalGrid& grid, double longitude, double latitude, const F& f) {
    const double x = longitude * degree, y = latitude * degree;
    const GridWindow window(grid, {&x, 1}, {&y, 1});
    const auto& stencil = window.stencils()[0];
    double sum = 0.0;
    for (int corner = 0; corner < 4; ++corner) {
        const auto place = static_cast<std::size_t>(stencil.corner[corner]);
        const std::size_t row = window.box().first_row + place / window.box().columns;
        const std::size_t column =
            (window.box().first_column + place % window.box().columns) % grid.columns();
        sum += stencil.weight(corner) * f(column, row);
    }
    return sum;
}

std::vector<double> even(double first, double step, int count) {
    std::vector<double> values;
    for (int i = 0; i < count; ++i) values.push_back(first + step * i);
    return values;
}

bool inside(const HorizontalGrid& grid, double longitude, double latitude) {
    HorizontalGrid::Box box;
    return grid.locate(longitude * degree, latitude * degree, box);
}

TEST(SeaForcingGrid, LinearFieldsComeBackExactlyInEitherLatitudeOrder) {
    const std::vector<double> longitude = {100.0, 101.0, 103.0, 104.5};
    for (const std::vector<double>& latitude :
         {std::vector<double>{-3.0, 0.0, 1.0, 7.0}, {7.0, 1.0, 0.0, -3.0}}) {
        const HorizontalGrid grid("file", longitude, latitude);
        const auto field = [&](std::size_t c, std::size_t r) {
            return 2.0 + 3.0 * grid.x(c) - 0.5 * grid.y(r) + 0.1 * grid.x(c) * grid.y(r);
        };
        for (double x = 100.0; x <= 104.5; x += 0.29)
            for (double y = -3.0; y <= 7.0; y += 0.31)
                EXPECT_NEAR(interpolate(grid, x, y, field), 2.0 + 3.0 * x - 0.5 * y + 0.1 * x * y, 1e-10);
    }
}

TEST(SeaForcingGrid, APointIsTheSameInEveryNotationOfLongitude) {
    const HorizontalGrid east("file", even(200.0, 1.0, 21), {0.0, 10.0});
    const HorizontalGrid west("file", even(-160.0, 1.0, 21), {0.0, 10.0});
    const auto column = [](std::size_t c, std::size_t) { return static_cast<double>(c); };
    for (const HorizontalGrid* grid : {&east, &west})
        for (double x : {212.3, -147.7, 572.3}) EXPECT_NEAR(interpolate(*grid, x, 5.0, column), 12.3, 1e-9);
}

TEST(SeaForcingGrid, AnAxisThatCrossesTheDateLineIsOneAxis) {
    const HorizontalGrid grid("file", {176.0, 178.0, -180.0, -178.0, -176.0}, {0.0, 10.0});
    const auto field = [&](std::size_t c, std::size_t) { return grid.x(c); };
    EXPECT_NEAR(interpolate(grid, 179.0, 5.0, field), 179.0, 1e-10);
    EXPECT_NEAR(interpolate(grid, -179.0, 5.0, field), 181.0, 1e-10);
    EXPECT_FALSE(inside(grid, 170.0, 5.0));
}

TEST(SeaForcingGrid, AGridAroundTheEarthHasNoSeam) {
    // cos(lon) from columns every 2°, from 0 and from 21 (as Ferret), and with the first column repeated at
    // 360.
    for (const auto& longitude :
         {even(0.0, 2.0, 180), even(21.0, 2.0, 180), even(0.0, 2.0, 181), even(-180.0, 2.0, 180)}) {
        const HorizontalGrid grid("file", longitude, even(-89.0, 2.0, 90));
        EXPECT_TRUE(grid.around_the_earth());
        EXPECT_EQ(grid.columns(), 180u);
        const auto field = [&](std::size_t c, std::size_t) { return std::cos(grid.x(c) * degree); };
        for (double x = -180.0; x <= 360.0; x += 0.7)
            EXPECT_NEAR(interpolate(grid, x, 5.0, field), std::cos(x * degree), 2e-4) << x;
        EXPECT_TRUE(inside(grid, 20.0, 90.0));
        EXPECT_TRUE(inside(grid, 20.0, -90.0));
    }
}

TEST(SeaForcingGrid, ARegionEndsHalfASpacingBeyondItsLastValues) {
    const HorizontalGrid grid("file", {100.0, 102.0, 104.0}, {10.0, 0.0, -10.0});
    EXPECT_TRUE(inside(grid, 99.1, 14.9));
    EXPECT_TRUE(inside(grid, 104.9, -14.9));
    EXPECT_FALSE(inside(grid, 98.9, 0.0));
    EXPECT_FALSE(inside(grid, 105.1, 0.0));
    EXPECT_FALSE(inside(grid, 102.0, 15.1));
    EXPECT_FALSE(inside(grid, 102.0, -15.1));
}

// Cells on both sides of the seam of a global grid need four columns around it, not all of them.
// Width of the hole that a point lies in, in degrees; 0: none.
double hole(const HorizontalGrid& grid, double longitude, double latitude) {
    HorizontalGrid::Box box;
    EXPECT_TRUE(grid.locate(longitude * degree, latitude * degree, box));
    return box.hole;
}

TEST(SeaForcingGrid, ASpacingManyTimesThoseAroundItIsAHole) {
    std::vector<double> rows = even(10.0, 0.5, 11), more = even(18.5, 0.5, 8);
    rows.insert(rows.end(), more.begin(), more.end());  // nothing between 15 and 18.5
    const HorizontalGrid grid("file", even(100.0, 1.0, 5), rows);
    EXPECT_EQ(hole(grid, 102.3, 17.0), 3.5);
    EXPECT_EQ(hole(grid, 102.3, 15.0), 0.0);  // on its rim
    EXPECT_EQ(hole(grid, 102.3, 18.7), 0.0);
    EXPECT_FALSE(inside(grid, 102.3, 22.4));  // half a usual spacing beyond the last row, not half a hole

    // A Pacific cut at ±180: what is left out is a hole of it, not the way round the Earth.
    std::vector<double> columns = even(-180.0, 0.5, 22), west = even(170.0, 0.5, 20);
    columns.insert(columns.end(), west.begin(), west.end());
    const HorizontalGrid pacific("file", columns, even(0.0, 1.0, 5));
    EXPECT_EQ(hole(pacific, 110.0, 2.0), 339.5);
    EXPECT_EQ(hole(pacific, 179.8, 2.0), 0.0);
}

TEST(SeaForcingGrid, ASpacingThatGrowsStepByStepIsNoHole) {
    std::vector<double> rows = {0.0};
    for (double step = 0.1; rows.back() < 50.0; step *= 1.4) rows.push_back(rows.back() + step);
    const HorizontalGrid grid("file", even(100.0, 1.0, 5), rows);
    for (double y = 0.05; y < rows.back(); y += 0.7) EXPECT_EQ(hole(grid, 102.3, y), 0.0) << y;
    // One row that is left out is bridged, as a coarse part of the grid.
    const HorizontalGrid without("file", even(100.0, 1.0, 5), {0.0, 1.0, 2.0, 4.0, 5.0, 6.0});
    EXPECT_EQ(hole(without, 102.3, 3.0), 0.0);
}

TEST(SeaForcingGrid, AWindowAcrossTheSeamIsNarrow) {
    const HorizontalGrid grid("file", even(0.0, 1.0, 360), even(-90.0, 1.0, 181));
    const std::vector<double> longitude = {-1.5 * degree, 1.5 * degree},
                              latitude = {10.5 * degree, 12.5 * degree};
    const GridWindow window(grid, longitude, latitude);
    EXPECT_EQ(window.box().first_column, 358u);
    EXPECT_EQ(window.box().columns, 5u);
    EXPECT_EQ(window.box().first_row, 100u);
    EXPECT_EQ(window.box().rows, 4u);
}

TEST(SeaForcingGrid, ARankWithoutCellsNeedsNothing) {
    const HorizontalGrid grid("file", even(0.0, 1.0, 360), even(-90.0, 1.0, 181));
    EXPECT_EQ(GridWindow(grid, {}, {}).size(), 0u);
}

TEST(SeaForcingGrid, AxesThatAreNotOnTheEarthAreRefused) {
    const std::vector<double> good = {0.0, 1.0, 2.0};
    EXPECT_TRUE(says(refusal_of([&] {
                         HorizontalGrid("f.nc", {0.0, 1.0, 1.0}, good);
                     }),
                     {"f.nc", "longitude[2]"}));
    EXPECT_TRUE(says(refusal_of([&] {
                         HorizontalGrid("f.nc", {3.0, 2.0, 1.0}, good);
                     }),
                     {"longitude[2]", "eastward"}));
    EXPECT_TRUE(says(refusal_of([&] {
                         HorizontalGrid("f.nc", good, {0.0, 2.0, 1.0});
                     }),
                     {"latitude[2]", "= 1"}));
    EXPECT_TRUE(says(refusal_of([&] {
                         HorizontalGrid("f.nc", good, {80.0, 90.0, 100.0});
                     }),
                     {"latitude[2]", "100"}));
    EXPECT_TRUE(says(refusal_of([&] { HorizontalGrid("f.nc", good, {80.0}); }), {"latitude", "1 values"}));
}

}  // namespace
}  // namespace groundswell::gridded
