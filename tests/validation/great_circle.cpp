#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support/sea_propagation_case.hpp"

// Swell in deep water follows great circles: a ray at latitude φ with bearing α keeps cos φ sin α (its
// angular momentum about the Earth's axis), and moves on by the angle cg t/R.
namespace groundswell::sea {
namespace {

using namespace test;
using base::degree;
using base::earth_radius;
using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector normalised(const Vector& a) {
    const double length = std::sqrt(dot(a, a));
    return {a[0] / length, a[1] / length, a[2] / length};
}
Vector unit(double lon, double lat) {
    return {std::cos(lat) * std::cos(lon), std::cos(lat) * std::sin(lon), std::sin(lat)};
}
// Unit vector at (lon, lat) that points `direction` anticlockwise from east.
Vector heading(double lon, double lat, double direction) {
    const double e = std::cos(direction), n = std::sin(direction);
    return {-e * std::sin(lon) - n * std::sin(lat) * std::cos(lon),
            e * std::cos(lon) - n * std::sin(lat) * std::sin(lon), n * std::cos(lat)};
}

// Means weighted by action, as unit vectors: every ray's own plane is kept, so the mean plane is; spreading
// in direction by the scheme changes neither.
struct Swell {
    Vector plane;  // normal of the great circle: its z component is cos φ sin α
    Vector place;
    double sum;
};

Swell measure(const Case& sea) {
    Swell swell{{}, {}, 0.0};
    for (int cell = 0; cell < sea.mesh.owned; ++cell) {
        const double lon = sea.mesh.lon[cell], lat = sea.mesh.lat[cell];
        const Vector up = unit(lon, lat);
        for (int d = 0; d < sea.grid.directions; ++d) {
            const double n = sea.at(cell, 0, d) * sea.mesh.area[cell];
            const Vector plane = cross(up, heading(lon, lat, sea.grid.direction[d]));
            swell.sum += n;
            for (int i = 0; i < 3; ++i) {
                swell.plane[i] += n * plane[i];
                swell.place[i] += n * up[i];
            }
        }
    }
    swell.plane = normalised(swell.plane);
    swell.place = normalised(swell.place);
    return swell;
}

struct Voyage {
    double lon, lat, direction, angle;  // degrees; direction from east, anticlockwise
};

// Action of all directions in the fullest cell.
double highest(const Case& sea) {
    double most = 0.0;
    for (int cell = 0; cell < sea.mesh.owned; ++cell) {
        double sum = 0.0;
        for (int d = 0; d < sea.grid.directions; ++d) sum += sea.at(cell, 0, d);
        most = std::max(most, sum);
    }
    return most;
}

// Returns the highest cell at the end over that of the start.
double expect_a_great_circle(const Voyage& voyage) {
    Case sea(sphere(40, 5000.0), SpectralGrid(3, 36, 0.05, 1.1),
             with_scheme(PropagationScheme::second_order));
    const double lon0 = voyage.lon * degree, lat0 = voyage.lat * degree, angle = voyage.angle * degree;
    const Vector centre = unit(lon0, lat0), ahead = heading(lon0, lat0, voyage.direction * degree);
    // A group of swell 10° wide, its rays spread by 12° about the direction of the middle one.
    sea.fill([&](int cell, int f, int d) {
        if (f > 0) return 0.0;
        const double lon = sea.mesh.lon[cell], lat = sea.mesh.lat[cell];
        const double distance = std::acos(std::clamp(dot(unit(lon, lat), centre), -1.0, 1.0));
        const double x = dot(ahead, heading(lon, lat, 0.0)),
                     y = dot(ahead, heading(lon, lat, 0.5 * base::pi));
        const double off = std::remainder(sea.grid.direction[d] - std::atan2(y, x), base::two_pi);
        return std::exp(-0.5 * std::pow(distance / (4.0 * degree), 2) -
                        0.5 * std::pow(off / (12.0 * degree), 2));
    });
    const Swell before = measure(sea);
    const double highest_before = highest(sea);
    const double duration = angle * earth_radius / sea.propagator.group_speed(0)[0];
    const int steps = static_cast<int>(std::ceil(duration / (0.9 * sea.propagator.longest_step().seconds)));
    for (int i = 0; i < steps; ++i) sea.step(duration / steps);
    const Swell after = measure(sea);

    EXPECT_NEAR(after.sum / before.sum, 1.0, 1e-4);
    EXPECT_GE(sea.smallest(), Real(0));
    EXPECT_NEAR(after.plane[2], before.plane[2], 0.015);
    EXPECT_GT(dot(after.plane, before.plane), std::cos(1.0 * degree));
    // On the great circle, and as far along it as cg takes it; a fan of rays has its mean behind the middle
    // one.
    const double across = std::asin(dot(after.place, before.plane));
    const double along = std::atan2(dot(after.place, ahead), dot(after.place, centre));
    EXPECT_NEAR(across, 0.0, 0.5 * degree);
    EXPECT_LT(along, angle + 0.1 * degree);
    EXPECT_GT(along, angle - 1.5 * degree);
    return highest(sea) / highest_before;
}

// A beam keeps its angular momentum and its way.
TEST(GreatCircle, LeadsAcrossTheDateLine) {
    expect_a_great_circle({160.0, 35.0, 20.0, 60.0});
}
// Nor does it matter where the pole is: half of this way goes through cells whose frames turn.
TEST(GreatCircle, LeadsOverTheNorthPole) {
    const double over_the_pole = expect_a_great_circle({30.0, 60.0, 90.0, 60.0}),
                 over_the_equator = expect_a_great_circle({30.0, -30.0, 90.0, 60.0});
    EXPECT_NEAR(over_the_pole / over_the_equator, 1.0, 0.1);
}
TEST(GreatCircleLong, LeadsFromTheSouthernOcean) {
    expect_a_great_circle({-120.0, -50.0, 50.0, 70.0});
}
TEST(GreatCircleLong, LeadsPastTheSouthPole) {
    expect_a_great_circle({100.0, -62.0, -80.0, 55.0});
}

}  // namespace
}  // namespace groundswell::sea
