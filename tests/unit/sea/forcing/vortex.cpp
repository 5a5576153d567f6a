#include <cmath>

#include "groundswell/base/constants.hpp"
#include "support/storm.hpp"
#include "support/wind_files.hpp"
#include "support/wind_forcing.hpp"

namespace groundswell::sea {

using namespace test;
namespace {

using base::degree;

// East of a northern storm the wind blows north, of a southern one south; and everywhere towards the centre
// by the angle.
TEST(SeaForcingVortex, TurnsCyclonicallyAndInward) {
    for (double latitude : {15.0, -15.0}) {
        const SteadyStorm storm(storm_at(179.9, latitude));
        const auto east = storm.at(100e3, 0.0);
        EXPECT_GT(east.northward * latitude, 0.0);
        const double inflow = std::atan2(-east.eastward, std::abs(east.northward)) / degree;
        EXPECT_NEAR(inflow, 25.0, 0.3);  // the local axes turn a little over 100 km
        const auto north = storm.at(100e3, 90.0);
        EXPECT_LT(north.eastward * latitude, 0.0);
        EXPECT_LT(north.northward, 0.0);
        EXPECT_NEAR(speed(east), speed(north), 1e-6);
        const auto eye = storm.vortex.wind(storm.state.centre);
        EXPECT_EQ(speed(eye), 0.0);
        EXPECT_EQ(eye.weight, 1.0);
    }
}

TEST(SeaForcingVortex, TheStrongestWindIsTheTracksTimesTheFactorAndRightOfTheTrackInTheNorth) {
    for (auto profile : {VortexProfile::holland2010, VortexProfile::holland1980})
        for (double latitude : {15.0, -15.0}) {
            // Northward: its right is the east.
            VortexOptions options;
            options.profile = profile;
            const SteadyStorm storm(storm_at(120.0, latitude, 6.0, 90.0), wide_gale(), options);
            double strongest = 0.0, bearing = 0.0;
            for (double r = 24e3; r <= 36e3; r += 1e3)
                for (double angle = 0.0; angle < 360.0; angle += 1.0)
                    if (const double s = storm.speed_at(r, angle); s > strongest) {
                        strongest = s;
                        bearing = angle;
                    }
            EXPECT_NEAR(strongest, 0.93 * 60.0, 0.01);
            // Lin & Chavas turn the motion by 20°, the inflow the wind by 10° there: 10° ahead of abeam.
            EXPECT_NEAR(bearing, latitude > 0.0 ? 10.0 : 170.0, 3.0);
            const double difference = storm.speed_at(30e3, 0.0) - storm.speed_at(30e3, 180.0);
            EXPECT_GT(difference * latitude, 0.0);
            EXPECT_NEAR(std::abs(difference), 2.0 * 0.55 * 6.0 * std::cos(10.0 * degree), 0.1);
        }
}

TEST(SeaForcingVortex, AStormAtThePoleOrOnTheDateLineIsNoDifferentFromOthers) {
    const SteadyStorm plain(storm_at(10.0, 60.0)), pole(storm_at(0.0, 90.0)), line(storm_at(180.0, 60.0));
    const SteadyStorm near_pole(storm_at(70.0, 90.0 - 80e3 / base::earth_radius / degree));
    EXPECT_NEAR(speed(near_pole.vortex.wind({0.0, 0.0, 1.0})), plain.speed_at(80e3, 0.0), 1e-6);
    for (double angle = 0.0; angle < 360.0; angle += 30.0) {
        EXPECT_NEAR(line.speed_at(80e3, angle), plain.speed_at(80e3, angle), 1e-9);
        EXPECT_NEAR(pole.speed_at(80e3, angle), plain.speed_at(80e3, angle), 1e-9);
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
    VortexOptions vortex = exact_radii();
    vortex.tracks = {folder.write("t.csv", resting)};
    const Points p = points();
    const ForcingEntries entries = {uniform({-8.0, 0.0}), entry_of(vortex)};
    WindForcing forcing(MPI_COMM_SELF, "case.toml", entries, p.longitude, p.latitude, at("2024-09-03"),
                        at("2024-09-05"));
    WindForcing alone(MPI_COMM_SELF, "case.toml", {entries[1]}, p.longitude, p.latitude, at("2024-09-03"),
                      at("2024-09-03T18:00"));
    const std::size_t n = p.longitude.size();
    std::vector<Real> u(n), v(n), u_alone(n), v_alone(n);
    forcing.wind_at(at("2024-09-03T01:00"), u, v);
    alone.wind_at(at("2024-09-03T01:00"), u_alone, v_alone);
    const Vector3 centre = voronoi::point_at(120.0 * degree, 15.0 * degree);
    for (std::size_t i = 0; i < n; ++i) {
        const double r =
            base::earth_radius * angle_between(centre, voronoi::point_at(p.longitude[i], p.latitude[i]));
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
    std::vector<Real> later(n), scratch(n);
    forcing.wind_at(at("2024-09-03T18:00"), scratch, later);
    EXPECT_NEAR(later[1], v[1], 1e-4);
    forcing.wind_at(at("2024-09-03T21:00"), scratch, later);
    EXPECT_NEAR(later[1], 0.5 * v[1], 1e-4);
    forcing.wind_at(at("2024-09-04T00:00"), scratch, later);
    EXPECT_EQ(later[1], 0.0f);
    EXPECT_EQ(scratch[1], -8.0f);
}

TEST(SeaForcingVortex, FadesIntoTheWindBelowWhereTheStormTurnsExtratropical) {
    const TemporaryFolder folder;
    VortexOptions vortex;
    vortex.tracks = {folder.write(
        "t.csv",
        "time,lat,lon,vmax_kt,pmin_hpa,rmw_km,r34_km,stage\n2024-09-03T00:00Z,15,120,100,940,30,250,TY\n"
        "2024-09-03T06:00Z,15,120,100,940,30,250,EX\n2024-09-03T12:00Z,15,120,100,940,30,250,EX\n")};
    const Points p = points();
    const ForcingEntries entries = {uniform({-8.0, 0.0}), entry_of(vortex)};
    WindForcing over(MPI_COMM_SELF, "case.toml", entries, p.longitude, p.latitude, at("2024-09-03"),
                     at("2024-09-03T12:00"));
    WindForcing alone(MPI_COMM_SELF, "case.toml", {entries[1]}, p.longitude, p.latitude, at("2024-09-03"),
                      at("2024-09-03T12:00"));
    const std::size_t n = p.longitude.size();
    std::vector<Real> u(n), v(n), u_whole(n), v_whole(n);
    for (const auto& [time, share] :
         {std::pair{"00:00", 1.0}, std::pair{"03:00", 0.5}, std::pair{"09:00", 0.0}}) {
        over.wind_at(at(std::string("2024-09-03T") + time), u, v);
        alone.wind_at(at(std::string("2024-09-03T") + time), u_whole, v_whole);
        EXPECT_GT(std::abs(v_whole[1]), 10.0f);  // with nothing below, it stays
        EXPECT_NEAR(v[1], share * v_whole[1], 1e-4) << time;
        EXPECT_NEAR(u[1], share * u_whole[1] - (1.0 - share) * 8.0, 1e-4) << time;
    }
}

TEST(SeaForcingVortex, ATrackThatDoesNotCoverTheRunIsRefusedUnlessAnotherWindIsBelow) {
    const TemporaryFolder folder;
    VortexOptions vortex = exact_radii();
    vortex.tracks = {folder.write("t.csv", resting)};
    const Points p = points();
    const ForcingEntries all = {uniform({0.0, 0.0}), entry_of(vortex)}, alone = {all[1]};
    const auto make = [&](const ForcingEntries& list, const char* start, const char* end) {
        WindForcing(MPI_COMM_SELF, "case.toml", list, p.longitude, p.latitude, at(start), at(end));
    };
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
        vortex.tracks = {folder.write("t.csv", resting)};
        change(vortex);
        return refusal_of([&] {
            WindForcing(MPI_COMM_SELF, "case.toml", {entry_of(vortex)}, p.longitude, p.latitude,
                        at("2024-09-03"), at("2024-09-03T06:00"));
        });
    };
    EXPECT_TRUE(says(refusal([](VortexOptions& o) { o.wind_factor = 93.0; }),
                     {"case.toml", "vortex.wind_factor = 93"}));
    EXPECT_TRUE(says(refusal([](VortexOptions& o) { o.radii_factor = 1.2; }), {"vortex.radii_factor = 1.2"}));
    EXPECT_TRUE(
        says(refusal([](VortexOptions& o) { o.ambient_pressure = 101000.0; }), {"ambient_pressure", "950"}));
    EXPECT_TRUE(
        says(refusal([](VortexOptions& o) { o.blend_outer = 1.0; }), {"blend_outer = 1", "blend_inner"}));
    EXPECT_TRUE(says(refusal([](VortexOptions& o) { o.inflow_angle = -1.0; }), {"inflow_angle"}));
}

// The bits of a cell's wind are the same whichever cells the rank owns besides.
TEST(SeaForcingVortex, ACellsWindDoesNotDependOnThePartition) {
    VortexOptions vortex;
    vortex.tracks = {std::string(GROUNDSWELL_SOURCE_DIR) + "/cases/yagi/yagi.csv"};
    Points p;
    for (double lon = 105.0; lon < 125.0; lon += 0.37)
        for (double lat = 10.0; lat < 25.0; lat += 0.41) {
            p.longitude.push_back(lon * degree);
            p.latitude.push_back(lat * degree);
        }
    const std::size_t n = p.longitude.size();
    WindForcing whole(MPI_COMM_SELF, "case.toml", {entry_of(vortex)}, p.longitude, p.latitude,
                      at("2024-09-03"), at("2024-09-08"));
    std::vector<Real> u(n), v(n), one_u(1), one_v(1);
    const base::Instant time = at("2024-09-05T07:13:00");
    whole.wind_at(time, u, v);
    for (std::size_t i = 0; i < n; i += 17) {
        WindForcing part(MPI_COMM_SELF, "case.toml", {entry_of(vortex)}, {&p.longitude[i], 1},
                         {&p.latitude[i], 1}, at("2024-09-03"), at("2024-09-08"));
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
