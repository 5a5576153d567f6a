#include "groundswell/sea/boundary/stations.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "groundswell/base/constants.hpp"

// Values between stations.
namespace groundswell::sea {
namespace {

using voronoi::Vector3;

double value(double lon, double lat) {
    return 3.0 + 2.0 * lon - 5.0 * lat;
}

double interpolated(const std::vector<std::pair<double, double>>& places, double lon, double lat) {
    std::vector<Vector3> stations;
    for (const auto& [x, y] : places)
        stations.push_back(voronoi::point_at(x * base::degree, y * base::degree));
    double sum = 0.0, weight = 0.0;
    for (const Weighed& one : weigh_stations(stations, lon * base::degree, lat * base::degree)) {
        EXPECT_GE(one.weight, 0.0);
        weight += one.weight;
        sum += one.weight * value(places[one.station].first, places[one.station].second);
    }
    EXPECT_NEAR(weight, 1.0, 1e-12);
    return sum;
}

// A grid of half a degree at the equator, where it is flat to (0.01)²: linear functions are kept, also on its lines and at its
// stations.
TEST(Stations, KeepLinearFunctionsBetweenThem) {
    std::vector<std::pair<double, double>> grid;
    for (int i = -4; i <= 4; ++i)
        for (int j = -4; j <= 4; ++j) grid.emplace_back(0.5 * i, 0.5 * j);
    for (const auto& [lon, lat] : {std::pair{0.1, 0.2}, {0.25, 0.0}, {0.5, 0.5}, {0.25, 0.25}, {-1.3, 0.9}})
        EXPECT_NEAR(interpolated(grid, lon, lat), value(lon, lat), 2e-3) << lon << " " << lat;
}

TEST(Stations, InALineAreTakenAsFarAsTheyGo) {
    const std::vector<std::pair<double, double>> line{{0.0, 0.0}, {1.0, 0.0}, {2.0, 0.0}, {2.0, 0.0}};
    EXPECT_NEAR(interpolated(line, 0.3, 0.2), value(0.3, 0.0), 1e-3);
    EXPECT_NEAR(interpolated(line, 1.8, -0.3), value(1.8, 0.0), 1e-3);
    EXPECT_NEAR(interpolated(line, 2.7, 0.1), value(2.0, 0.0), 1e-9);
    EXPECT_NEAR(interpolated({{1.0, 1.0}}, 5.0, 5.0), value(1.0, 1.0), 1e-12);
}

}  // namespace
}  // namespace groundswell::sea
