#include "groundswell/sea/forcing/vortex.hpp"

#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/forcing/forcing.hpp"
#include "sea_forcing_files.hpp"

namespace groundswell::sea {
namespace {

using base::degree;

base::Instant at(const std::string& text) {
    return *base::parse_instant(text);
}

constexpr double gale = 0.93 * 34.0 * base::knot;
const SymmetricStorm typhoon = {55.0, 30e3, 7000.0, 250e3, gale, 5e-5};
const SymmetricStorm weak = {17.5, 40e3, 900.0, 120e3, gale, 5e-5};

TEST(SeaForcingVortexProfile, TheStrongestWindIsAtTheRadiusOfMaximumWind) {
    for (const SymmetricStorm& storm : {typhoon, weak})
        for (auto profile : {VortexProfile::holland2010, VortexProfile::holland1980}) {
            const VortexWind wind(profile, storm);
            EXPECT_NEAR(wind.speed(storm.radius_max_wind), storm.max_wind, 1e-9);
            EXPECT_EQ(wind.speed(0.0), 0.0);
            for (double r = 1e3; r < 0.95 * storm.radius_max_wind; r += 1e3)
                EXPECT_LE(wind.speed(r), wind.speed(r + 1e3)) << r;
            for (double r = 1.05 * storm.radius_max_wind; r < 1e6; r += 1e3)
                EXPECT_LE(wind.speed(r + 1e3), wind.speed(r)) << r;
        }
}

// Holland et al. (2010), eqs. 5-7 as printed: v = [b dp (R/r)^b / (rho exp((R/r)^b))]^x, b = rho e v^2/dp.
TEST(SeaForcingVortexProfile, IsThatOfThePaper) {
    const VortexWind wind(VortexProfile::holland2010, typhoon);
    const double b = 1.15 * std::exp(1.0) * 55.0 * 55.0 / 7000.0;
    EXPECT_NEAR(wind.shape(), b, 1e-12);
    for (double r : {10e3, 20e3, 30e3}) {
        const double power = std::pow(30e3 / r, b);
        EXPECT_NEAR(wind.speed(r), std::sqrt(b * 7000.0 * power / (1.15 * std::exp(power))), 1e-9);
    }
}

TEST(SeaForcingVortexProfile, TheWindAtTheGaleRadiusIsAGale) {
    for (double radius : {150e3, 200e3, 250e3, 300e3}) {
        SymmetricStorm storm = typhoon;
        storm.radius_gale = radius;
        EXPECT_NEAR(VortexWind(VortexProfile::holland2010, storm).speed(radius), gale, 1e-9) << radius;
    }
    SymmetricStorm unknown = typhoon;
    unknown.radius_gale = 0.0;
    EXPECT_EQ(VortexWind(VortexProfile::holland2010, unknown).outer_exponent(), 0.5);
}

// V^2/r + f V = (1/rho) dp/dr with p = pc + dp exp(-(R/r)^B), V the wind at the top of the boundary layer.
TEST(SeaForcingVortexProfile, Holland1980IsInGradientBalance) {
    for (const SymmetricStorm& storm : {typhoon, weak}) {
        const VortexWind wind(VortexProfile::holland1980, storm);
        const auto pressure = [&](double r) {
            return wind.pressure_deficit() * std::exp(-std::pow(storm.radius_max_wind / r, wind.shape()));
        };
        for (double r = 10e3; r < 500e3; r *= 1.3) {
            const double v = wind.speed(r) / surface_wind_ratio;
            const double slope = (pressure(r + 1.0) - pressure(r - 1.0)) / 2.0 / storm_air_density;
            EXPECT_NEAR(v * v / r + storm.coriolis * v, slope, 1e-6 * slope + 1e-9) << r;
        }
    }
}

TEST(SeaForcingVortexProfile, TheInflowAngleGrowsTo25Degrees) {
    EXPECT_EQ(inflow_angle(0.0, 30e3, 25.0), 0.0);
    EXPECT_NEAR(inflow_angle(30e3, 30e3, 25.0), 10.0, 1e-12);
    EXPECT_NEAR(inflow_angle(33e3, 30e3, 25.0), 17.5, 1e-9);
    EXPECT_NEAR(inflow_angle(36e3, 30e3, 25.0), 25.0, 1e-9);
    EXPECT_EQ(inflow_angle(300e3, 30e3, 25.0), 25.0);
}

// A storm at (lon, lat) that moves at `speed` towards `bearing` (degrees, anticlockwise from east).
StormState storm_at(double lon, double lat, double speed = 0.0, double bearing = 90.0) {
    const Vector3 centre = mesh::point_at(lon * degree, lat * degree);
    const Vector3 velocity = (speed * std::cos(bearing * degree)) * east_at(centre) +
                             (speed * std::sin(bearing * degree)) * north_at(centre);
    return {centre, velocity, 60.0, 93000.0, 100800.0, 30e3, 250e3};
}

// The place at a distance (m) and an angle (degrees, anticlockwise from east) from a storm.
Vector3 around(const StormState& state, double distance, double angle) {
    const Vector3 way =
        std::cos(angle * degree) * east_at(state.centre) + std::sin(angle * degree) * north_at(state.centre);
    const double arc = distance / base::earth_radius;
    return std::cos(arc) * state.centre + std::sin(arc) * way;
}

double speed(const VortexAtTime::Wind& wind) {
    return std::hypot(wind.eastward, wind.northward);
}

// East of a northern storm the wind blows north, of a southern one south; and everywhere towards the centre
// by the angle.
TEST(SeaForcingVortex, TurnsCyclonicallyAndInward) {
    for (double latitude : {15.0, -15.0}) {
        const StormState state = storm_at(179.9, latitude);
        const VortexAtTime vortex(VortexOptions{}, state);
        const auto east = vortex.wind(around(state, 100e3, 0.0));
        EXPECT_GT(east.northward * latitude, 0.0);
        const double inflow = std::atan2(-east.eastward, std::abs(east.northward)) / degree;
        EXPECT_NEAR(inflow, 25.0, 0.3);  // the local axes turn a little over 100 km
        const auto north = vortex.wind(around(state, 100e3, 90.0));
        EXPECT_LT(north.eastward * latitude, 0.0);
        EXPECT_LT(north.northward, 0.0);
        EXPECT_NEAR(speed(east), speed(north), 1e-6);
        const auto eye = vortex.wind(state.centre);
        EXPECT_EQ(speed(eye), 0.0);
        EXPECT_EQ(eye.weight, 1.0);
    }
}

TEST(SeaForcingVortex, TheStrongestWindIsTheTracksTimesTheFactorAndRightOfTheTrackInTheNorth) {
    for (double latitude : {15.0, -15.0}) {
        const StormState state = storm_at(120.0, latitude, 6.0, 90.0);  // northward: its right is the east
        const VortexAtTime vortex(VortexOptions{}, state);
        double strongest = 0.0, bearing = 0.0;
        for (double r = 24e3; r <= 36e3; r += 1e3)
            for (double angle = 0.0; angle < 360.0; angle += 1.0)
                if (const double s = speed(vortex.wind(around(state, r, angle))); s > strongest) {
                    strongest = s;
                    bearing = angle;
                }
        EXPECT_NEAR(strongest, 0.93 * 60.0, 0.01);
        // Lin & Chavas turn the motion by 20°, the inflow the wind by 10° there: 10° ahead of abeam.
        EXPECT_NEAR(bearing, latitude > 0.0 ? 10.0 : 170.0, 3.0);
        const double right = speed(vortex.wind(around(state, 60e3, 0.0)));
        const double left = speed(vortex.wind(around(state, 60e3, 180.0)));
        EXPECT_GT((right - left) * latitude, 0.0);
        EXPECT_LT(std::abs(right - left), 2.0 * 0.55 * 6.0);
    }
}

TEST(SeaForcingVortex, AStormAtThePoleOrOnTheDateLineIsNoDifferentFromOthers) {
    const StormState plain = storm_at(10.0, 60.0), pole = storm_at(0.0, 90.0), line = storm_at(180.0, 60.0);
    const StormState near_pole = storm_at(70.0, 90.0 - 80e3 / base::earth_radius / degree);
    EXPECT_NEAR(speed(VortexAtTime(VortexOptions{}, near_pole).wind({0.0, 0.0, 1.0})),
                speed(VortexAtTime(VortexOptions{}, plain).wind(around(plain, 80e3, 0.0))), 1e-6);
    for (double angle = 0.0; angle < 360.0; angle += 30.0) {
        const double expected = speed(VortexAtTime(VortexOptions{}, plain).wind(around(plain, 80e3, angle)));
        EXPECT_NEAR(speed(VortexAtTime(VortexOptions{}, line).wind(around(line, 80e3, angle))), expected,
                    1e-9);
        EXPECT_NEAR(speed(VortexAtTime(VortexOptions{}, pole).wind(around(pole, 80e3, angle))), expected,
                    1e-9);
    }
}

struct Points {
    std::vector<double> longitude, latitude;  // rad
};

// From the centre of the track below eastward, 0…20 degrees.
Points points() {
    Points p;
    for (double lon = 120.0; lon <= 140.0; lon += 0.25) {
        p.longitude.push_back(lon * degree);
        p.latitude.push_back(15.0 * degree);
    }
    return p;
}

const char* const resting =
    "time,lat,lon,vmax_kt,pmin_hpa,rmw_km,r34_km\n2024-09-03T00:00Z,15,120,100,940,30,250\n"
    "2024-09-03T06:00Z,15,120,100,940,30,250\n2024-09-03T12:00Z,15,120,100,940,30,250\n";

TEST(SeaForcingVortex, BlendsSmoothlyOverTheWindBelow) {
    const TemporaryFolder folder;
    VortexOptions vortex;
    vortex.track = folder.write("t.csv", resting);
    const Points p = points();
    const std::vector<WindOptions> entries = {UniformOptions{-8.0, 0.0}, vortex};
    Forcing forcing(MPI_COMM_SELF, "case.toml", entries, p.longitude, p.latitude, at("2024-09-03"),
                    at("2024-09-05"));
    Forcing alone(MPI_COMM_SELF, "case.toml", {&entries[1], 1}, p.longitude, p.latitude, at("2024-09-03"),
                  at("2024-09-03T18:00"));
    const std::size_t n = p.longitude.size();
    std::vector<exec::Real> u(n), v(n), u_alone(n), v_alone(n);
    forcing.wind_at(at("2024-09-03T01:00"), u, v);
    alone.wind_at(at("2024-09-03T01:00"), u_alone, v_alone);
    const Vector3 centre = mesh::point_at(120.0 * degree, 15.0 * degree);
    for (std::size_t i = 0; i < n; ++i) {
        const double r =
            base::earth_radius * angle_between(centre, mesh::point_at(p.longitude[i], p.latitude[i]));
        if (r < 1.2 * 250e3) {
            EXPECT_EQ(u[i], u_alone[i]);
            EXPECT_EQ(v[i], v_alone[i]);
        }
        if (r >= 3.0 * 250e3) {
            EXPECT_EQ(u[i], -8.0f);
            EXPECT_EQ(v[i], 0.0f);
            EXPECT_EQ(v_alone[i], 0.0f);
        }
        if (i > 0 && r > 300e3) {
            EXPECT_LT(std::abs(v[i] - v[i - 1]), 1.5);
        }
    }
    // Six hours after the last fix the storm is whole, twelve hours after it is gone.
    std::vector<exec::Real> later(n), scratch(n);
    forcing.wind_at(at("2024-09-03T18:00"), scratch, later);
    EXPECT_EQ(later[1], v[1]);
    forcing.wind_at(at("2024-09-03T21:00"), scratch, later);
    EXPECT_NEAR(later[1], 0.5 * v[1], 1e-4);
    forcing.wind_at(at("2024-09-04T00:00"), scratch, later);
    EXPECT_EQ(later[1], 0.0f);
    EXPECT_EQ(scratch[1], -8.0f);
}

TEST(SeaForcingVortex, ATrackThatDoesNotCoverTheRunIsRefusedUnlessAnotherWindIsBelow) {
    const TemporaryFolder folder;
    VortexOptions vortex;
    vortex.track = folder.write("t.csv", resting);
    const Points p = points();
    const std::vector<WindOptions> entries = {UniformOptions{}, vortex};
    const auto make = [&](std::span<const WindOptions> list, const char* start, const char* end) {
        Forcing(MPI_COMM_SELF, "case.toml", list, p.longitude, p.latitude, at(start), at(end));
    };
    const std::span<const WindOptions> all(entries), alone = all.subspan(1);
    make(alone, "2024-09-02T18:00", "2024-09-03T18:00");
    make(all, "2024-09-01", "2024-09-09");
    EXPECT_TRUE(says(refusal_of([&] { make(alone, "2024-09-03", "2024-09-03T18:01"); }),
                     {"t.csv", "2024-09-03T00:00:00Z … 2024-09-03T12:00:00Z", "2024-09-03T18:01:00Z"}));
    EXPECT_TRUE(
        says(refusal_of([&] { make(alone, "2024-09-02T17:59", "2024-09-03"); }), {"2024-09-02T17:59:00Z"}));
}

TEST(SeaForcingVortex, OptionsOutOfRangeAreRefused) {
    const TemporaryFolder folder;
    const Points p = points();
    const auto refusal = [&](auto change) {
        VortexOptions vortex;
        vortex.track = folder.write("t.csv", resting);
        change(vortex);
        const WindOptions entry = vortex;
        return refusal_of([&] {
            Forcing(MPI_COMM_SELF, "case.toml", {&entry, 1}, p.longitude, p.latitude, at("2024-09-03"),
                    at("2024-09-03T06:00"));
        });
    };
    EXPECT_TRUE(says(refusal([](VortexOptions& o) { o.wind_factor = 93.0; }),
                     {"case.toml", "vortex.wind_factor = 93"}));
    EXPECT_TRUE(
        says(refusal([](VortexOptions& o) { o.ambient_pressure = 101000.0; }), {"ambient_pressure", "950"}));
    EXPECT_TRUE(
        says(refusal([](VortexOptions& o) { o.blend_outer = 1.0; }), {"blend_outer = 1", "blend_inner"}));
    EXPECT_TRUE(says(refusal([](VortexOptions& o) { o.inflow_angle = -1.0; }), {"inflow_angle"}));
}

// The bits of a cell's wind are the same whichever cells the rank owns besides.
TEST(SeaForcingVortex, ACellsWindDoesNotDependOnThePartition) {
    VortexOptions vortex;
    vortex.track = std::string(GROUNDSWELL_SOURCE_DIR) + "/cases/yagi/yagi.csv";
    const WindOptions entry = vortex;
    Points p;
    for (double lon = 105.0; lon < 125.0; lon += 0.37)
        for (double lat = 10.0; lat < 25.0; lat += 0.41) {
            p.longitude.push_back(lon * degree);
            p.latitude.push_back(lat * degree);
        }
    const std::size_t n = p.longitude.size();
    Forcing whole(MPI_COMM_SELF, "case.toml", {&entry, 1}, p.longitude, p.latitude, at("2024-09-03"),
                  at("2024-09-08"));
    std::vector<exec::Real> u(n), v(n), one_u(1), one_v(1);
    const base::Instant time = at("2024-09-05T07:13:00");
    whole.wind_at(time, u, v);
    for (std::size_t i = 0; i < n; i += 17) {
        Forcing part(MPI_COMM_SELF, "case.toml", {&entry, 1}, {&p.longitude[i], 1}, {&p.latitude[i], 1},
                     at("2024-09-03"), at("2024-09-08"));
        part.wind_at(time, one_u, one_v);
        EXPECT_EQ(one_u[0], u[i]);
        EXPECT_EQ(one_v[0], v[i]);
    }
    double strongest = 0.0;
    for (std::size_t i = 0; i < n; ++i) strongest = std::max<double>(strongest, std::hypot(u[i], v[i]));
    EXPECT_GT(strongest, 40.0);
    EXPECT_LT(strongest, 0.93 * 130.0 * base::knot);
}

}  // namespace
}  // namespace groundswell::sea
