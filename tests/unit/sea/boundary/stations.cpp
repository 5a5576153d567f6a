#include "groundswell/sea/boundary/stations.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "groundswell/base/constants.hpp"

// Values between stations.
namespace groundswell::sea {
namespace {

using voronoi::Vector3;

using Places = std::vector<std::pair<double, double>>;

double plane(double lon, double lat) {
    return 3.0 + 2.0 * lon - 5.0 * lat;
}

double interpolated(const Places& places, double lon, double lat, double (*value)(double, double),
                    double least_weight) {
    std::vector<Vector3> stations;
    for (const auto& [x, y] : places)
        stations.push_back(voronoi::point_at(x * base::degree, y * base::degree));
    double sum = 0.0, weight = 0.0;
    for (const Weighed& one : weigh_stations(stations, lon * base::degree, lat * base::degree)) {
        EXPECT_GE(one.weight, least_weight);
        weight += one.weight;
        sum += one.weight * value(places[one.station].first, places[one.station].second);
    }
    EXPECT_NEAR(weight, 1.0, 1e-12);
    return sum;
}

// About half a degree apart at the equator, where it is flat to (0.01)²; not in rows.
Places around_the_equator(int reach) {
    Places places;
    for (int i = -reach; i <= reach; ++i)
        for (int j = -reach; j <= reach; ++j)
            places.emplace_back(0.5 * i + 0.08 * std::sin(3.0 * i + 7.0 * j),
                                0.5 * j + 0.08 * std::cos(5.0 * i - 2.0 * j));
    return places;
}

TEST(Stations, AllAroundKeepQuadraticFunctions) {
    const auto bowl = [](double lon, double lat) {
        return plane(lon, lat) + 4.0 * lon * lon - 3.0 * lon * lat + lat * lat;
    };
    const Places places = around_the_equator(4);
    for (const auto& [lon, lat] : {std::pair{0.1, 0.2}, {0.25, 0.0}, {0.5, 0.5}, {0.25, 0.25}, {-1.3, 0.9}})
        EXPECT_NEAR(interpolated(places, lon, lat, bowl, -0.5), bowl(lon, lat), 2e-3) << lon << " " << lat;
}

// Four or nine are too few for a quadratic, and beyond the last ones it would go astray.
TEST(Stations, FewOrOneSidedKeepLinearFunctionsAndTheirSign) {
    for (const auto& [lon, lat] : {std::pair{0.1, 0.2}, {0.25, 0.0}, {-0.3, 0.3}})
        EXPECT_NEAR(interpolated(around_the_equator(1), lon, lat, plane, 0.0), plane(lon, lat), 2e-3);
    interpolated(around_the_equator(4), 3.5, 0.0, plane, 0.0);
}

TEST(Stations, InALineAreTakenAsFarAsTheyGo) {
    const Places line{{0.0, 0.0}, {1.0, 0.0}, {2.0, 0.0}, {2.0, 0.0}};
    EXPECT_NEAR(interpolated(line, 0.3, 0.2, plane, 0.0), plane(0.3, 0.0), 1e-3);
    EXPECT_NEAR(interpolated(line, 1.8, -0.3, plane, 0.0), plane(1.8, 0.0), 1e-3);
    EXPECT_NEAR(interpolated(line, 2.7, 0.1, plane, 0.0), plane(2.0, 0.0), 1e-9);
    EXPECT_NEAR(interpolated({{1.0, 1.0}}, 5.0, 5.0, plane, 0.0), plane(1.0, 1.0), 1e-12);
}

}  // namespace
}  // namespace groundswell::sea
