// Tracks as the agencies hand them out. The lines are made up, in the published layouts.
#include <fmt/format.h>
#include <zlib.h>

#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/forcing/storm/track.hpp"
#include "support/storm.hpp"
#include "support/wind_files.hpp"

namespace groundswell::sea {

using namespace test;
namespace {

std::vector<StormFix> read(const TemporaryFolder& folder, const std::string& text,
                           const TrackChoice& choice = {}) {
    return read_track({folder.write("track.txt", text)}, choice);
}

double knots(const StormFix& fix) {
    return fix.max_wind / base::knot;
}

const std::string ibtracs_head =
    "SID,SEASON,NUMBER,NAME,ISO_TIME,NATURE,LAT,LON,TRACK_TYPE,USA_ATCF_ID,USA_LAT,USA_LON,USA_WIND,USA_PRES,"
    "USA_R34_NE,USA_R34_SE,USA_R34_SW,USA_R34_NW,USA_R50_NE,USA_R50_SE,USA_R50_SW,USA_R50_NW,USA_POCI,USA_"
    "RMW\n"
    " ,Year, , , , ,degrees_north,degrees_east, , ,degrees_north,degrees_east,kts,mb,"
    "nmile,nmile,nmile,nmile,nmile,nmile,nmile,nmile,mb,nmile\n";

std::string ibtracs_line(const std::string& sid, const std::string& name, const std::string& time, double lat,
                         const std::string& wind, const std::string& type = "main") {
    return fmt::format("{},{},62,{},{},TS,{},120.0,{},WP122024,{},120.5,{},995,60,50, ,40, , , , ,1004,25\n",
                       sid, sid.substr(0, 4), name, time, lat, type, lat, wind);
}

TEST(SeaForcingTrackForms, IbtracsIsReadAsItIsDownloaded) {
    const TemporaryFolder folder;
    const std::string text =
        ibtracs_head + ibtracs_line("2024244N12130", "YAGI", "2024-09-01 12:00:00", 13.5, "30") +
        ibtracs_line("2024244N12130", "YAGI", "2024-09-01 15:00:00", 13.8, " ") +
        ibtracs_line("2024244N12130", "YAGI", "2024-09-01 16:00:00", 40.0, "90", "spur-merge") +
        ibtracs_line("2024244N12130", "YAGI", "2024-09-01 18:00:00", 14.2, "40");
    const auto fixes = read(folder, text);
    ASSERT_EQ(fixes.size(), 3u);
    EXPECT_EQ(fixes[0].time, at("2024-09-01T12:00"));
    EXPECT_DOUBLE_EQ(fixes[0].latitude, 13.5 * base::degree);
    EXPECT_DOUBLE_EQ(fixes[0].longitude, 120.5 * base::degree);  // USA's, not WMO's
    EXPECT_NEAR(knots(fixes[0]), 30.0, 1e-9);
    EXPECT_TRUE(std::isnan(fixes[1].max_wind));
    EXPECT_DOUBLE_EQ(fixes[2].central_pressure, 99500.0);
    EXPECT_DOUBLE_EQ(fixes[2].radii[0][0], 60.0 * base::nautical_mile);
    EXPECT_DOUBLE_EQ(fixes[2].radii[0][2], 50.0 * base::nautical_mile);  // the mean of the others
    EXPECT_TRUE(std::isnan(fixes[2].radii[1][0]));
}

TEST(SeaForcingTrackForms, AStormOfManyIsChosenByNameYearOrNumber) {
    const TemporaryFolder folder;
    std::string text = ibtracs_head;
    for (const std::string sid : {"1999225N12300", "2011233N15301", "2024244N12130"})
        for (const std::string hour : {"00", "06"})
            text += ibtracs_line(sid, sid == "2024244N12130" ? "YAGI" : "IRENE",
                                 sid.substr(0, 4) + "-09-01 " + hour + ":00:00", 12.0, sid.substr(2, 2));
    const auto wind = [&](const std::string& storm) { return knots(read(folder, text, {storm, "", {}})[0]); };
    EXPECT_NEAR(wind("yagi"), 24.0, 1e-9);
    EXPECT_NEAR(wind("Irene 2011"), 11.0, 1e-9);
    EXPECT_NEAR(wind("1999225N12300"), 99.0, 1e-9);
    EXPECT_TRUE(says(refusal_of([&] { read(folder, text); }),
                     {"storms = 3", "IRENE 1999 (1999225N12300)", "storm ="}));
    EXPECT_TRUE(says(refusal_of([&] { wind("IRENE"); }), {"storm = IRENE", "IRENE 1999", "IRENE 2011"}));
    EXPECT_TRUE(says(refusal_of([&] { wind("KATRINA"); }), {"storm = KATRINA", "such as IRENE 1999"}));
}

const std::string hurdat =
    "AL092011,              IRENE,      3,\n"
    "20110821, 0000,  , TS, 15.0N,  59.0W,  45, 1006,  105,    0,    0,   45,    0,    0,    0,    0, -999, "
    "-999, -999, -999,\n"
    "20110821, 0600,  , TS, 16.0N,  60.6W, -99, -999,  130,    0,    0,   80,    0,    0,    0,    0,    0,  "
    "  0,    0,    0,\n"
    "20110821, 0730, L, EX, 16.3N,  61.0W,  45, 1005,  130,    0,    0,   80,    0,    0,    0,    0,    0,  "
    "  0,    0,    0,\n"
    "AL102011,                TEN,      2,\n"
    "20110825, 0000,  , TD, 12.4N,  30.0W,  25, 1007,    0,    0,    0,    0,    0,    0,    0,    0,    0,  "
    "  0,    0,    0,\n"
    "20110825, 0600,  , TD, 12.6N,  31.0W,  30, 1006,    0,    0,    0,    0,    0,    0,    0,    0,    0,  "
    "  0,    0,    0,\n";

TEST(SeaForcingTrackForms, Hurdat2IsReadWithItsMarksOfWhatIsNotKnown) {
    const TemporaryFolder folder;
    const auto fixes = read(folder, hurdat, {"AL092011", "", {}});
    ASSERT_EQ(fixes.size(), 3u);
    EXPECT_DOUBLE_EQ(fixes[0].longitude, -59.0 * base::degree);
    EXPECT_DOUBLE_EQ(fixes[0].radii[0][0], 105.0 * base::nautical_mile);
    EXPECT_EQ(fixes[0].radii[0][1], 0.0);
    EXPECT_TRUE(std::isnan(fixes[0].radii[2][0]));
    EXPECT_TRUE(std::isnan(fixes[1].max_wind));
    EXPECT_TRUE(std::isnan(fixes[1].central_pressure));
    EXPECT_EQ(fixes[2].time, at("2011-08-21T07:30"));
    EXPECT_TRUE(fixes[0].is_tropical && fixes[1].is_tropical && !fixes[2].is_tropical);
    EXPECT_NEAR(knots(read(folder, hurdat, {"ten", "", {}})[1]), 30.0, 1e-9);
}

// A forecast of many hours, of a storm that goes north by a tenth of a degree in each.
std::string deck_line(const std::string& cycle, const std::string& technique, int hours, int wind) {
    return fmt::format(
        "WP, 12, {}, {}, {}, {:3d}, {}N, 1200E, {:3d},  960, {},  34, NEQ,  120,  110,  100,  110, 1006,  "
        "200,  25,\n",
        cycle, technique == "BEST" ? "  " : "03", technique, hours, 150 + hours, wind,
        hours < 24 ? "TY" : "EX");
}

TEST(SeaForcingTrackForms, AForecastBeginsWhereTheBestTrackEnds) {
    const TemporaryFolder folder;
    std::string best, forecasts;
    for (const char* time : {"2024090200", "2024090206", "2024090212"})
        best += deck_line(time, "BEST", 0, 50);
    // A cycle behind the best track's end would leave a hole; the one before its end fits.
    for (const char* cycle : {"2024090206", "2024090212", "2024090300"})
        for (const int hours : {0, 12, 24}) {
            forecasts += deck_line(cycle, "AVNO", hours, 99);
            forecasts += deck_line(cycle, "OFCL", hours, cycle[9] == '6' ? 60 : cycle[8] == '1' ? 70 : 80);
        }
    const std::vector<std::string> both = {folder.write("b.dat", best), folder.write("a.dat", forecasts)};
    const auto fixes = read_track(both, {"", "OFCL", {}});
    ASSERT_EQ(fixes.size(), 5u);
    EXPECT_EQ(fixes[2].time, at("2024-09-02T12:00"));
    EXPECT_NEAR(knots(fixes[2]), 50.0, 1e-9);
    EXPECT_EQ(fixes[3].time, at("2024-09-03T00:00"));
    EXPECT_NEAR(knots(fixes[3]), 70.0, 1e-9);
    const auto earlier = read_track(both, {"", "OFCL", at("2024-09-02T06:00")});
    ASSERT_EQ(earlier.size(), 5u);
    EXPECT_NEAR(knots(earlier[3]), 60.0, 1e-9);
    EXPECT_EQ(earlier[3].time, at("2024-09-02T18:00"));
    EXPECT_EQ(read_track(both).size(), 3u);  // the best track alone

    // Without a best track the newest forecast, of the technique that is named.
    const auto newest = read_track({both[1]}, {"", "OFCL", {}});
    ASSERT_EQ(newest.size(), 3u);
    EXPECT_EQ(newest[0].time, at("2024-09-03"));
    EXPECT_TRUE(
        says(refusal_of([&] { read_track({both[1]}); }), {"a.dat", "BEST", "technique", "AVNO, OFCL"}));
    EXPECT_TRUE(says(refusal_of([&] {
                         read_track(both, {"", "XXXX", {}});
                     }),
                     {"technique = XXXX", "AVNO, OFCL"}));
    EXPECT_TRUE(says(refusal_of([&] {
                         read_track(both, {"", "OFCL", at("2020-01-01")});
                     }),
                     {"cycle", "2024-09-02T06:00:00Z"}));
}

TEST(SeaForcingTrackForms, ACompressedTrackIsReadAsItIs) {
    const TemporaryFolder folder;
    const std::string path = folder.file("hurdat2.txt.gz");
    gzFile file = gzopen(path.c_str(), "wb");
    ASSERT_EQ(gzwrite(file, hurdat.data(), static_cast<unsigned>(hurdat.size())),
              static_cast<int>(hurdat.size()));
    gzclose(file);
    EXPECT_EQ(read_track({path}, {"IRENE", "", {}}).size(), 3u);
}

TEST(SeaForcingTrackForms, WhatAFormDoesNotHaveIsRefused) {
    const TemporaryFolder folder;
    const std::string table = "time,lat,lon,vmax_kt\n2024-09-01,10,120,30\n2024-09-02,11,121,30\n";
    EXPECT_TRUE(says(refusal_of([&] { read(folder, table, {"YAGI", "", {}}); }), {"storm = YAGI"}));
    EXPECT_TRUE(says(refusal_of([&] { read(folder, table, {"", "OFCL", {}}); }), {"technique = OFCL"}));
    const std::string path = folder.write("t.csv", table);
    EXPECT_TRUE(says(refusal_of([&] { read_track({path, path}); }), {"t.csv", "one file, or ATCF decks"}));
}

}  // namespace
}  // namespace groundswell::sea
