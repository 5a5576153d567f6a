// Metres about a place, against lengths and angles on the ellipsoid.
#include "groundswell/mesh/tetra/projection/projection.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <string>

#include "groundswell/base/errors.hpp"

namespace {

using groundswell::tetra::Projection;

constexpr double degree = std::numbers::pi / 180.0;
constexpr double a = 6378137.0, f = 1.0 / 298.257223563, e2 = f * (2.0 - f);

// Radii of curvature along the meridian and across it.
double along(double latitude) {
    return a * (1.0 - e2) / std::pow(1.0 - e2 * std::pow(std::sin(latitude * degree), 2), 1.5);
}
double across(double latitude) {
    return a / std::sqrt(1.0 - e2 * std::pow(std::sin(latitude * degree), 2));
}

TEST(Projection, ComesBackToTheNanometre) {
    const Projection projection(37.03, 37.17);
    for (double longitude = 31.0; longitude <= 43.0; longitude += 0.75) {
        for (double latitude = -85.0; latitude <= 85.0; latitude += 4.25) {
            const auto place = projection.degrees(projection.metres({longitude, latitude}));
            EXPECT_NEAR((place.latitude - latitude) * degree * a, 0.0, 8e-9);
            EXPECT_NEAR((place.longitude - longitude) * degree * a * std::cos(latitude * degree), 0.0, 8e-9);
        }
    }
}

TEST(Projection, MeasuresTheMeridianOfItsOrigin) {
    // The quarter of a meridian (EPSG guidance note 7-2; NGA.SIG.0012).
    EXPECT_NEAR(Projection(0.0, 0.0).metres({0.0, 90.0}).north, 10001965.7293, 5e-5);
    EXPECT_NEAR(Projection(-70.0, 90.0).metres({-70.0, -90.0}).north, -2.0 * 10001965.7293, 1e-4);
    // Any arc, by Simpson's rule.
    for (const double latitude : {10.0, 42.5, 71.0}) {
        double arc = 0.0;
        constexpr int pieces = 2000;
        for (int i = 0; i <= pieces; ++i)
            arc += (i == 0 || i == pieces ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) * along(latitude * i / pieces);
        arc *= latitude * degree / pieces / 3.0;
        const auto place = Projection(12.0, 0.0).metres({12.0, latitude});
        EXPECT_NEAR(place.north, arc, 1e-7);
        EXPECT_NEAR(place.east, 0.0, 1e-9);
    }
}

TEST(Projection, KeepsAnglesAndGrowsAwayFromTheMeridian) {
    const Projection projection(13.4, 42.3);
    for (const double longitude : {10.0, 13.4, 13.9, 17.0}) {
        constexpr double latitude = 42.9, small = 1e-5;  // degrees
        const auto west = projection.metres({longitude - small, latitude});
        const auto east = projection.metres({longitude + small, latitude});
        const auto south = projection.metres({longitude, latitude - small});
        const auto north = projection.metres({longitude, latitude + small});
        const double x[] = {east.east - west.east, east.north - west.north};
        const double y[] = {north.east - south.east, north.north - south.north};
        const double scale_x =
            std::hypot(x[0], x[1]) / (2.0 * small * degree * across(latitude) * std::cos(latitude * degree));
        const double scale_y = std::hypot(y[0], y[1]) / (2.0 * small * degree * along(latitude));
        EXPECT_NEAR(scale_x, scale_y, 2e-8);
        EXPECT_NEAR((x[0] * y[0] + x[1] * y[1]) / (std::hypot(x[0], x[1]) * std::hypot(y[0], y[1])), 0.0,
                    2e-8);
        // J. P. Snyder 1987 (doi:10.3133/pp1395), eq. 8-11, to the second power of the distance.
        const double distance = projection.metres({longitude, latitude}).east;
        const double curved = 2.0 * along(latitude) * across(latitude);
        EXPECT_NEAR(scale_y, 1.0 + distance * distance / curved, 3e-7);
    }
}

TEST(Projection, IsSymmetricAndMindsNoTurnsOfTheGlobe) {
    const Projection projection(179.5, -38.0);
    const auto east = projection.metres({-178.5, -37.0}), west = projection.metres({177.5, -37.0});
    EXPECT_NEAR(east.east, -west.east, 1e-8);
    EXPECT_NEAR(east.north, west.north, 1e-8);
    EXPECT_GT(east.east, 100e3);
    EXPECT_NEAR(projection.degrees(east).longitude, -178.5, 1e-12);
    const auto origin = projection.metres({179.5, -38.0});
    EXPECT_EQ(origin.east, 0.0);
    EXPECT_EQ(origin.north, 0.0);
    EXPECT_EQ(projection.name(), "transverse Mercator on WGS 84 about 179.5° E, 38° S");
    EXPECT_EQ(projection.proj(),
              "+proj=tmerc +lat_0=-38 +lon_0=179.5 +k=1 +x_0=0 +y_0=0 +ellps=WGS84 +units=m");
}

TEST(Projection, OfAMeshStandsBehindItsFormat) {
    const auto said = [](const std::string& text) {
        const std::string path = testing::TempDir() + "stated.msh";
        std::ofstream(path, std::ios::binary) << text;
        return groundswell::tetra::stated_projection(path);
    };
    const std::string format("$MeshFormat\n4.1 1 8\n\1\0\0\0\n$EndMeshFormat\n", 39);
    const std::string mine = Projection(-121.5, 24.0).proj();
    EXPECT_EQ(mine, "+proj=tmerc +lat_0=24 +lon_0=-121.5 +k=1 +x_0=0 +y_0=0 +ellps=WGS84 +units=m");
    EXPECT_EQ(said(format + "$Projection\n" + mine + "\n$EndProjection\n$Nodes\n"), mine);
    EXPECT_EQ(said(format + "$Nodes\n"), "");
    EXPECT_EQ(said(format + "$Projection\n$EndProjection\n"), "");
    EXPECT_EQ(said(format + "$Projection\n" + mine), "");
    EXPECT_EQ(said("$Projection\nx\n$EndProjection\n"), "");
    EXPECT_EQ(groundswell::tetra::stated_projection("/nowhere"), "");
}

// Places as the PROJ library has them (pyproj 3.7.2, PROJ 9.5).
TEST(Projection, ZonesOfUtmAreThoseOfOthers) {
    const auto of = [](const char* words) {
        return Projection::from_words(words, "case.toml", "projection.proj");
    };
    for (const char* words :
         {"EPSG:32611", "+proj=utm +zone=11 +datum=WGS84", "proj=utm zone=11 ellps=GRS80 units=m no_defs",
          "+proj=tmerc +lon_0=-117 +k_0=0.9996 +x_0=500000 +datum=WGS84"}) {
        const auto place = of(words).metres({-118.515, 34.344});
        EXPECT_NEAR(place.east, 360653.5748747118, 1e-7) << words;
        EXPECT_NEAR(place.north, 3801338.571641304, 1e-7) << words;
        const auto back = of(words).degrees(place);
        EXPECT_NEAR(back.longitude, -118.515, 1e-13);
        EXPECT_NEAR(back.latitude, 34.344, 1e-13);
    }
    const auto south = of("EPSG:32719").metres({290.0, -33.0});
    EXPECT_NEAR(south.east, 406582.221792239, 1e-7);
    EXPECT_NEAR(south.north, 6348269.025887623, 1e-7);
    const auto other = of("+proj=tmerc +lat_0=10 +lon_0=121 +k=0.9999 +x_0=250000 +y_0=1000 +ellps=WGS84")
                           .metres({121.5, 24.2});
    EXPECT_NEAR(other.east, 300792.30362209736, 1e-7);
    EXPECT_NEAR(other.north, 1572519.4453704788, 1e-7);
    EXPECT_EQ(of("EPSG:32611").proj(), of("+proj=utm +zone=11 +datum=WGS84").proj());
    EXPECT_EQ(of("+proj=tmerc +lat_0=3 +lon_0=7 +ellps=WGS84").proj(), Projection(7.0, 3.0).proj());
}

// A program without the PROJ library refuses all of them, one with it what is no projection onto metres.
TEST(Projection, OthersAreThoseOfTheProjLibraryOrRefused) {
    using groundswell::base::Refusal;
    const auto of = [](const char* words) {
        return Projection::from_words(words, "case.toml", "projection.proj");
    };
    for (const char* words :
         {"EPSG:4326", "EPSG:2229", "+proj=utm +zone=61", "+proj=nothing", "EPSG:99999999", "utm"})
        EXPECT_THROW(of(words), Refusal) << words;
    try {
        const auto conic = of("+proj=lcc +lat_1=33 +lat_2=45 +lon_0=-100 +datum=WGS84");
        const auto place = conic.metres({-118.515, 34.344});
        EXPECT_NEAR(place.east, -1688210.7490356546, 1e-3);
        EXPECT_NEAR(place.north, 4281761.86156064, 1e-3);
        EXPECT_NEAR(conic.degrees(place).longitude, -118.515, 1e-9);
    } catch (const Refusal& refusal) {
        EXPECT_NE(std::string(refusal.what()).find("built without the PROJ library"), std::string::npos);
    }
}

}  // namespace
