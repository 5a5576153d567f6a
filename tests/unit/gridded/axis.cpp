// An axis of a grid, the same whichever way the file counts; units that files write in many ways.
#include "groundswell/gridded/axis/axis.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "groundswell/base/constants.hpp"
#include "groundswell/gridded/units.hpp"

namespace groundswell::gridded {

namespace {

const std::vector<double> points = {-3.0, -1.0, 0.0, 0.5, 4.0, 5.0, 6.0};  // 3.5 from 0.5 to 4: a hole

Axis falling() {
    return Axis({points.rbegin(), points.rend()});
}

TEST(Axis, APlaceLiesBetweenItsPointsByItsWeight) {
    for (const Axis& axis : {Axis(points), falling()})
        for (const double place : {-3.0, -2.9, -1.0, 0.2, 2.0, 5.9, 6.0}) {
            const Axis::Between at = axis.between(place);
            const double low = axis[at.point[0]], high = axis[at.point[1]];
            EXPECT_LE(low, place);
            EXPECT_GE(high, place);
            EXPECT_NEAR(low + at.weight * (high - low), place, 1e-14);
            EXPECT_EQ(at.hole, place == 2.0 ? 3.5 : 0.0);
        }
}

TEST(Axis, BeyondItsEndsAPlaceLiesOnThem) {
    for (const Axis& axis : {Axis(points), falling()}) {
        const Axis::Between below = axis.between(-1e9).snapped(), above = axis.between(1e9).snapped();
        EXPECT_EQ(axis[below.point[0]], -3.0);
        EXPECT_EQ(axis[below.point[1]], -3.0);
        EXPECT_EQ(axis[above.point[0]], 6.0);
        EXPECT_EQ(axis[above.point[1]], 6.0);
    }
}

TEST(Axis, WhatIsMissingBesideAPointIsNotFeltThroughRounding) {
    const Axis::Between at = Axis(points).between(0.5 + 1e-12).snapped();
    EXPECT_EQ(at.point[0], 3u);
    EXPECT_EQ(at.point[1], 3u);
    EXPECT_EQ(at.hole, 0.0);
}

TEST(Axis, TheFirstValueOutOfOrderIsFound) {
    EXPECT_EQ(Axis::out_of_order(points, 10.0), points.size());
    EXPECT_EQ(Axis::out_of_order(points, 5.5), 6u);
    EXPECT_EQ(Axis::out_of_order(std::vector{3.0, 2.0, 2.0}, 10.0), 2u);
    EXPECT_EQ(Axis::out_of_order(std::vector{1.0, 2.0, 1.5}, 10.0), 2u);
}

TEST(Units, AreReadAsFilesWriteThem) {
    EXPECT_EQ(length_unit("Kilometres"), 1000.0);
    for (const char* name : {"m s-1", "m.s-1", "m*s^-1", "m/s", "meters/second"})
        EXPECT_EQ(speed_unit(name), 1.0);
    EXPECT_EQ(speed_unit("knots"), base::knot);
    EXPECT_EQ(density_unit("g cm-3"), 1000.0);
    EXPECT_EQ(pressure_unit("MPa"), 1e6);
    EXPECT_EQ(share_unit("%"), 0.01);
    for (const auto factor : {length_unit, speed_unit, density_unit, pressure_unit, share_unit})
        EXPECT_EQ(factor("kelvin"), 0.0);
}

}  // namespace

}  // namespace groundswell::gridded
