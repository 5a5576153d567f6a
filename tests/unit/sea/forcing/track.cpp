#include "groundswell/sea/forcing/storm/track.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "support/storm.hpp"
#include "support/wind_files.hpp"

namespace groundswell::sea {

using namespace test;
namespace {

using base::degree;

double degrees_east(const Vector3& p) {
    return std::atan2(p.y, p.x) / degree;
}
double degrees_north(const Vector3& p) {
    return std::asin(p.z) / degree;
}

StormFix fix(const std::string& time, double lon, double lat, double wind = 40.0) {
    return {at(time), lon * degree, lat * degree, wind, 95000.0, 100800.0, 30e3};
}

// Kilometres.
bool are(const std::array<double, 4>& radii, const std::array<double, 4>& expected) {
    for (std::size_t q = 0; q < 4; ++q)
        if (!(std::abs(radii[q] - 1e3 * expected[q]) < 1e-6)) return false;
    return true;
}

const char* const csv_head = "time,lat,lon,vmax_kt,pmin_hpa,rmw_nm,r34_ne_nm,r34_se_nm,r34_sw_nm,r34_nw_nm\n";

TEST(SeaForcingTrack, CsvColumnsAreReadWithTheirUnits) {
    const TemporaryFolder folder;
    const std::string path =
        folder.write("t.csv", std::string("# a comment\n\n") + csv_head +
                                  "2024-09-03T00:00:00Z, 18.3, 119.5, 40, 999, 20, 100, 100, 0, 0\n"
                                  "2024-09-03T06:00:00Z,18.5,-170.5,100,,,,,,\r\n");
    const auto fixes = read_track(path);
    ASSERT_EQ(fixes.size(), 2u);
    EXPECT_EQ(fixes[0].time, at("2024-09-03"));
    EXPECT_DOUBLE_EQ(fixes[0].latitude, 18.3 * degree);
    EXPECT_DOUBLE_EQ(fixes[0].longitude, 119.5 * degree);
    EXPECT_NEAR(fixes[0].max_wind, 20.5778, 1e-4);
    EXPECT_DOUBLE_EQ(fixes[0].central_pressure, 99900.0);
    EXPECT_DOUBLE_EQ(fixes[0].radius_max_wind, 37040.0);
    EXPECT_TRUE(are(fixes[0].radii[0], {185.2, 185.2, 0.0, 0.0}));
    EXPECT_TRUE(std::isnan(fixes[0].radii[1][0]));
    EXPECT_TRUE(std::isnan(fixes[1].central_pressure));
    EXPECT_TRUE(std::isnan(fixes[1].radii[0][0]));
    EXPECT_TRUE(std::isnan(fixes[1].ambient_pressure));

    const auto metric = read_track(folder.write("m.csv",
                                                "lon,lat,time_utc,vmax_ms,rmw_km,r34_km,name\n"
                                                "10,20,2024-09-03 00:00,30,25,200,A\n"
                                                "11,20,2024-09-03 06:00,31,25,0,B\n"));
    EXPECT_DOUBLE_EQ(metric[0].max_wind, 30.0);
    EXPECT_DOUBLE_EQ(metric[0].radius_max_wind, 25e3);
    EXPECT_TRUE(are(metric[0].radii[0], {200.0, 200.0, 200.0, 200.0}));
    EXPECT_TRUE(std::isnan(metric[1].radii[0][0]));
}

TEST(SeaForcingTrack, CsvColumnsOfRadiiMayBeThereForEachWindOrNot) {
    const TemporaryFolder folder;
    const auto fixes = read_track(folder.write(
        "t.csv",
        "time,lat,lon,vmax_kt,r34_km,r50_ne_nm,r50_se_nm,r50_sw_nm,r50_nw_nm,r64_ne_km,r64_se_km,"
        "r64_sw_km,r64_nw_km\n"
        "2024-09-03T00:00Z,18,119,80,200,60,50,,40,50,40,0,0\n"
        "2024-09-03T06:00Z,18,118,80,,0,0,0,0,,,,\n"));
    EXPECT_TRUE(are(fixes[0].radii[0], {200.0, 200.0, 200.0, 200.0}));
    EXPECT_TRUE(are(fixes[0].radii[1], {60 * 1.852, 50 * 1.852, 50 * 1.852, 40 * 1.852}));  // empty: the mean
    EXPECT_TRUE(are(fixes[0].radii[2], {50.0, 40.0, 0.0, 0.0}));
    for (const auto& radii : fixes[1].radii)
        for (const double radius : radii) EXPECT_TRUE(std::isnan(radius));
    EXPECT_TRUE(says(refusal_of([&] {
                         read_track(folder.write("t.csv",
                                                 "time,lat,lon,vmax_kt,r50_sw_nm\n"
                                                 "2024-09-03T00:00Z,18,119,80,-5\n"));
                     }),
                     {"t.csv:2: r50_sw_nm = -5", "0…1500"}));
}

TEST(SeaForcingTrack, BDecksGiveOneFixATimeWithAllItsRadii) {
    const TemporaryFolder folder;
    const auto fixes = read_track(folder.write("b.dat",
                                               "AL, 09, 2011082118,   , BEST,   0, 150N,  590W,  65, 1006, "
                                               "HU,  34, NEQ,  100,  100,    0,    0, 1010,  175,  60,\n"
                                               "AL, 09, 2011082118,   , BEST,   0, 150N,  590W,  65, 1006, "
                                               "HU,  50, SWQ,   10,   20,   30,   40, 1010,  175,  60,\n"
                                               "AL, 09, 2011082118,   , BEST,   0, 150N,  590W,  65, 1006, "
                                               "HU,  64, AAA,   15,    0,    0,    0, 1010,  175,  60,\n"
                                               "AL, 09, 2011082118,   , CARQ,   0, 999N,  590W,  65, 1006,\n"
                                               "AL, 09, 2011082123, 25, BEST,   0, 178S, 1646E,  60,    0, "
                                               "TS,   0,    ,    0,    0,    0,    0,\n"));
    ASSERT_EQ(fixes.size(), 2u);
    EXPECT_NEAR(fixes[0].longitude, -59.0 * degree, 1e-12);
    EXPECT_NEAR(fixes[0].latitude, 15.0 * degree, 1e-12);
    EXPECT_TRUE(are(fixes[0].radii[0], {185.2, 185.2, 0.0, 0.0}));
    EXPECT_TRUE(are(fixes[0].radii[1], {55.56, 74.08, 18.52, 37.04}));  // the first is the south-west one
    EXPECT_TRUE(are(fixes[0].radii[2], {27.78, 27.78, 27.78, 27.78}));  // all round
    EXPECT_TRUE(std::isnan(fixes[1].radii[0][0]));
    EXPECT_DOUBLE_EQ(fixes[0].ambient_pressure, 101000.0);
    EXPECT_DOUBLE_EQ(fixes[0].radius_max_wind, 60.0 * 1852.0);
    EXPECT_EQ(fixes[1].time, at("2011-08-21T23:25"));
    EXPECT_NEAR(fixes[1].latitude, -17.8 * degree, 1e-12);
    EXPECT_NEAR(fixes[1].longitude, 164.6 * degree, 1e-12);
    EXPECT_TRUE(std::isnan(fixes[1].central_pressure));
}

TEST(SeaForcingTrack, ATrackThatGoesBackInTimeIsRefusedWithItsLine) {
    const TemporaryFolder folder;
    const std::string csv = folder.write("t.csv",
                                         "time,lat,lon,vmax_kt\n2024-09-03T06:00Z,18,119,40\n"
                                         "2024-09-03T00:00Z,18,118,40\n");
    EXPECT_TRUE(says(refusal_of([&] { read_track(csv); }),
                     {"t.csv:3: time = 2024-09-03T00:00:00Z", "2024-09-03T06:00:00Z"}));
    const std::string deck = folder.write("b.dat",
                                          "AL, 09, 2011082118, , BEST, 0, 150N, 590W, 45, 1006\n"
                                          "AL, 09, 2011082112, , BEST, 0, 150N, 590W, 45, 1006\n");
    EXPECT_TRUE(says(refusal_of([&] { read_track(deck); }), {"b.dat:2", "2011-08-21T12:00:00Z"}));
}

TEST(SeaForcingTrack, WhatCannotBeReadIsRefusedWithItsLine) {
    const TemporaryFolder folder;
    const auto csv = [&](const std::string& rows) {
        return refusal_of([&] { read_track(folder.write("t.csv", "time,lat,lon,vmax_kt\n" + rows)); });
    };
    EXPECT_TRUE(says(csv("2024-09-03T00:00Z,18,119,4x\n"), {"t.csv:2: vmax_kt = 4x", "a number"}));
    EXPECT_TRUE(says(csv("2024-09-03T00:00Z,98,119,40\n"), {"t.csv:2: lat = 98", "-90…90"}));
    EXPECT_TRUE(says(csv("03/09/2024,18,119,40\n"), {"t.csv:2: time = 03/09/2024"}));
    EXPECT_TRUE(says(csv("2024-09-03T00:00Z,18,119\n"), {"t.csv:2: fields = 3", "4"}));
    EXPECT_TRUE(says(csv("2024-09-03T00:00Z,18,119,40\n"), {"t.csv", "fixes = 1", "two"}));
    EXPECT_TRUE(says(refusal_of([&] { read_track(folder.write("t.csv", "time,lat,lon,wind\n")); }),
                     {"t.csv:1", "time,lat,lon,wind", "vmax_kt"}));
    EXPECT_TRUE(says(refusal_of([&] {
                         read_track(
                             folder.write("b.dat", "AL, 09, 2011082118, , BEST, 0, 15N0, 590W, 45, 1006\n"));
                     }),
                     {"b.dat:1", "latitude = 15N0"}));
    EXPECT_TRUE(says(refusal_of([&] { read_track("track.kml"); }), {"track.kml", ".csv"}));
    EXPECT_TRUE(says(refusal_of([&] { read_track("missing.csv"); }), {"missing.csv", "read"}));
}

// Spreadsheets end each line with commas, or begin the file with a byte-order mark.
TEST(SeaForcingTrack, ColumnsWithoutANameAndAByteOrderMarkDoNoHarm) {
    const TemporaryFolder folder;
    const auto fixes = read_track(folder.write("t.csv",
                                               "\xEF\xBB\xBF,time,lat,lon,vmax_kt,,,\n"
                                               "1,2024-09-03T00:00Z,18,119,40,,,\n"
                                               "2,2024-09-03T06:00Z,19,119,50\n"));
    ASSERT_EQ(fixes.size(), 2u);
    EXPECT_DOUBLE_EQ(fixes[1].latitude, 19.0 * degree);
    EXPECT_DOUBLE_EQ(fixes[1].max_wind, 50.0 * base::knot);
}

TEST(SeaForcingTrack, ALineHasAFieldForEachColumnAndNoMore) {
    const TemporaryFolder folder;
    const auto csv = [&](const std::string& text) {
        return refusal_of([&] { read_track(folder.write("t.csv", text)); });
    };
    // The time would stand in a field that the second line does not have.
    EXPECT_TRUE(says(csv("lat,lon,vmax_kt,,,,,time\n18,119,40,,\n"), {"t.csv:2: fields = 5: expected 8"}));
    EXPECT_TRUE(says(csv("lat,lon,vmax_kt,lat,time\n18,119,40,2024-09-03\n"),
                     {"t.csv:1: columns = lat: expected each name once"}));
    // A comma in place of the decimal point.
    EXPECT_TRUE(says(csv("time,lat,lon,vmax_kt\n2024-09-03,18,5,119,0,40\n"), {"t.csv:2: fields = 6", "4"}));
}

TEST(SeaForcingTrack, APipeIsRefusedInsteadOfWaitedFor) {
    const TemporaryFolder folder;
    const std::string pipe = folder.file("t.csv");
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_TRUE(says(refusal_of([&] { read_track(pipe); }), {pipe, "a file, not a pipe"}));
}

// Along the equator and along a meridian the great circle is known; its speed is R Δ/Δt.
TEST(SeaForcingTrack, TheStormMovesAlongGreatCirclesFromTheFirstInterval) {
    const Track equator({fix("2024-09-03T00:00", 179.0, 0.0), fix("2024-09-03T06:00", -179.0, 0.0)}, 1e5);
    const StormState state = equator.at(at("2024-09-03T01:30"));
    EXPECT_NEAR(degrees_east(state.centre), 179.5, 1e-9);
    EXPECT_NEAR(dot(state.velocity, east_at(state.centre)), base::earth_radius * 2.0 * degree / 21600.0,
                1e-9);
    EXPECT_NEAR(dot(state.velocity, north_at(state.centre)), 0.0, 1e-9);

    // (0 E, 60 N) to (180 E, 80 N) leads over the pole: 40 degrees, a quarter of which is 10.
    const Track pole({fix("2024-09-03T00:00", 0.0, 60.0), fix("2024-09-03T08:00", 180.0, 80.0)}, 1e5);
    EXPECT_NEAR(degrees_north(pole.at(at("2024-09-03T02:00")).centre), 70.0, 1e-9);
    EXPECT_NEAR(degrees_north(pole.at(at("2024-09-03T07:00")).centre), 85.0, 1e-9);
    EXPECT_NEAR(std::abs(degrees_east(pole.at(at("2024-09-03T07:00")).centre)), 180.0, 1e-6);
}

TEST(SeaForcingTrack, ParametersAreLinearInTime) {
    const Track track({fix("2024-09-03T00:00", 110.0, 10.0, 20.0), fix("2024-09-03T06:00", 111.0, 10.0, 32.0),
                       fix("2024-09-03T12:00", 112.0, 10.0, 26.0)},
                      1e5);
    EXPECT_NEAR(track.at(at("2024-09-03T00:30")).max_wind, 21.0, 1e-9);
    EXPECT_NEAR(track.at(at("2024-09-03T09:00")).max_wind, 29.0, 1e-9);
    EXPECT_NEAR(track.at(at("2024-09-03T06:00")).ambient_pressure, 101000.0,
                1e-9);  // last closed isobar + 2 hPa
}

TEST(SeaForcingTrack, VelocityDoesNotJumpAtAFix) {
    const Track track({fix("2024-09-03T00:00", 110.0, 10.0), fix("2024-09-03T06:00", 111.0, 10.0),
                       fix("2024-09-03T12:00", 111.0, 12.0)},
                      1e5);
    const base::Instant bend = at("2024-09-03T06:00");
    EXPECT_LT(norm(track.at(bend).velocity - track.at(bend + base::milliseconds(-1)).velocity), 1e-5);
    EXPECT_LT(norm(track.at(bend + base::milliseconds(1)).velocity - track.at(bend).velocity), 1e-5);
    // There it is the mean of both legs, of 1° of longitude at 10°N and of 2° of latitude.
    const StormState state = track.at(bend);
    const double degree_speed = base::earth_radius * degree / 21600.0;
    EXPECT_NEAR(dot(state.velocity, east_at(state.centre)), 0.5 * degree_speed * std::cos(10.0 * degree),
                1e-3);
    EXPECT_NEAR(dot(state.velocity, north_at(state.centre)), 0.5 * 2.0 * degree_speed, 2e-2);
}

TEST(SeaForcingTrack, BeyondItsEndsTheStormKeepsMotionAndStrength) {
    const Track track({fix("2024-09-03T00:00", 0.0, 10.0, 20.0), fix("2024-09-03T06:00", 0.0, 11.0, 30.0)},
                      1e5);
    EXPECT_NEAR(degrees_north(track.at(at("2024-09-03T09:00")).centre), 11.5, 1e-9);
    EXPECT_NEAR(degrees_north(track.at(at("2024-09-02T21:00")).centre), 9.5, 1e-9);
    EXPECT_EQ(track.at(at("2024-09-03T09:00")).max_wind, 30.0);
    EXPECT_NEAR(norm(track.at(at("2024-09-03T09:00")).velocity),
                norm(track.at(at("2024-09-03T06:00")).velocity), 1e-9);
}

TEST(SeaForcingTrack, WhatFixesDoNotSayIsFilledInTimeOrFromTheWind) {
    const double nan = std::nan("");
    std::vector<StormFix> fixes = {fix("2024-09-03T00:00", 0.0, 20.0), fix("2024-09-03T03:00", 0.0, 20.0),
                                   fix("2024-09-03T12:00", 0.0, 20.0), fix("2024-09-03T18:00", 0.0, 20.0)};
    for (StormFix& f : fixes) f.central_pressure = f.ambient_pressure = nan;
    fixes[0].radius_max_wind = 20e3;
    fixes[1].radius_max_wind = nan;
    fixes[2].radius_max_wind = 60e3;
    fixes[3].radius_max_wind = nan;
    const Track track(fixes, 100900.0);
    EXPECT_NEAR(track.at(fixes[1].time).radius_max_wind, 30e3, 1e-6);
    EXPECT_NEAR(track.at(fixes[3].time).radius_max_wind, 60e3, 1e-6);
    EXPECT_EQ(track.at(fixes[0].time).ambient_pressure, 100900.0);
    EXPECT_TRUE(std::isnan(track.fixes()[0].radii[0][0]));
    // Atkinson & Holliday's relation, read backwards.
    const double pressure = track.at(fixes[0].time).central_pressure;
    EXPECT_NEAR(6.7 * std::pow(1010.0 - pressure / 100.0, 0.644) * base::knot, 40.0, 1e-9);
    for (StormFix& f : fixes) f.radius_max_wind = nan;
    EXPECT_NEAR(Track(fixes, 1e5).at(fixes[0].time).radius_max_wind,
                46.4e3 * std::exp(-0.0155 * 40.0 + 0.338), 1.0);
}

TEST(SeaForcingTrack, RadiiAreFilledInTimeWhereTheStormIsThatStrong) {
    std::vector<StormFix> fixes;
    for (int i = 0; i < 5; ++i) fixes.push_back(fix("2024-09-03T0" + std::to_string(i) + ":00", 0.0, 20.0));
    fixes[0].max_wind = 20.0;  // less than 50 kt
    fixes[0].radii[1] = {9e3, 9e3, 9e3, 9e3};
    fixes[1].radii[1] = {100e3, 0.0, 60e3, 0.0};
    fixes[4].radii[1] = {160e3, 0.0, 0.0, 90e3};
    const std::vector<StormFix> filled = Track(fixes, 1e5).fixes();
    EXPECT_TRUE(are(filled[0].radii[1], {0.0, 0.0, 0.0, 0.0}));
    EXPECT_TRUE(are(filled[1].radii[1], {100.0, 0.0, 60.0, 0.0}));
    EXPECT_TRUE(are(filled[2].radii[1], {120.0, 0.0, 60.0, 0.0}));  // a quadrant that ends: as the nearer fix
    EXPECT_TRUE(are(filled[3].radii[1], {140.0, 0.0, 0.0, 90.0}));
    fixes[4].radii[1] = unknown_radii()[1];
    const StormFix last = Track(fixes, 1e5).fixes().back();
    EXPECT_TRUE(are(last.radii[1], {100.0, 0.0, 60.0, 0.0}));
}

TEST(SeaForcingTrack, TheYagiCaseCoversItsFiveDays) {
    const auto fixes = read_track(std::string(GROUNDSWELL_SOURCE_DIR) + "/cases/yagi/yagi.csv");
    EXPECT_EQ(fixes.size(), 30u);
    EXPECT_LE(fixes.front().time, at("2024-09-02T18:00"));
    EXPECT_GE(fixes.back().time, at("2024-09-07T18:00"));
    // At its strongest, 145 kt: 50 and 64 kt reach 55 to 120 and 35 to 80 nautical miles (IBTrACS v04r01).
    const auto strongest = std::ranges::max_element(fixes, {}, &StormFix::max_wind);
    EXPECT_EQ(strongest->time, at("2024-09-05T18:00"));
    EXPECT_NEAR(strongest->max_wind / base::knot, 145.0, 1e-9);
    EXPECT_NEAR(strongest->radii[1][0] / base::nautical_mile, 120.0, 1e-9);
    EXPECT_NEAR(strongest->radii[2][2] / base::nautical_mile, 35.0, 1e-9);
}

TEST(SeaForcingTrack, ReadsIrene2011AndDorian2019) {
    const char* data = std::getenv("GROUNDSWELL_TEST_DATA");
    if (data == nullptr) GTEST_SKIP() << "GROUNDSWELL_TEST_DATA is not set";
    const auto irene = read_track(std::string(data) + "/tracks/irene2011_bal092011.dat");
    EXPECT_EQ(irene.front().time, at("2011-08-21"));
    double strongest = 0.0;
    for (const auto& f : irene) strongest = std::max(strongest, f.max_wind / base::knot);
    EXPECT_NEAR(strongest, 105.0, 1e-9);  // NHC's report: 105 kt on 24 August
    const auto dorian = read_track(std::string(data) + "/tracks/dorian2019-bdeck.dat");
    strongest = 0.0;
    for (const auto& f : dorian) strongest = std::max(strongest, f.max_wind / base::knot);
    EXPECT_NEAR(strongest, 160.0, 1e-9);  // NHC's report: 160 kt on 1 September
}

}  // namespace
}  // namespace groundswell::sea
