// Lists of receivers in the forms of other programs.
#include "groundswell/quake/values/stations/station_files.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"

namespace {

using groundswell::base::Refusal;
using groundswell::quake::ListedStation;
using groundswell::quake::read_station_file;

class StationFiles : public testing::Test {
protected:
    void TearDown() override { std::filesystem::remove(path); }

    std::vector<ListedStation> read(const std::string& text) const {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
        return read_station_file(path);
    }
    /// Without the name of the file.
    std::string refusal(const std::string& text) const {
        try {
            read(text);
        } catch (const Refusal& error) {
            return std::string(error.what()).substr(path.size());
        }
        return "";
    }
    static void expect(const ListedStation& one, const std::string& name, bool degrees, double east,
                       double north, double z, double below = 0.0) {
        EXPECT_EQ(one.name, name);
        EXPECT_EQ(one.degrees, degrees) << name;
        EXPECT_EQ(one.east, east) << name;
        EXPECT_EQ(one.north, north) << name;
        EXPECT_EQ(one.z, z) << name;
        EXPECT_EQ(one.below_surface, below) << name;
    }

    const std::string path =
        (std::filesystem::temp_directory_path() / ("gs_stations_" + std::to_string(getpid()))).string();
};

TEST_F(StationFiles, PlacesAsSeisSolHasThem) {
    const auto found = read("# three\n100.0 -2.5e3  0\r\n\n 7 8 -9.5\n");
    ASSERT_EQ(found.size(), 2u);
    expect(found[0], "", false, 100.0, -2500.0, 0.0);
    expect(found[1], "", false, 7.0, 8.0, -9.5);
    expect(read("A.B 1 2 3\n")[0], "A.B", false, 1.0, 2.0, 3.0);
    EXPECT_EQ(found[1].place, path + ":4");
}

TEST_F(StationFiles, StationsAsSpecfemHasThem) {
    const auto found = read("AAE IU 9.0292 38.7656 2442.0 0.0\n001 II 42.6 +74.5 1645.0 30.0\n");
    ASSERT_EQ(found.size(), 2u);
    expect(found[0], "IU.AAE", true, 38.7656, 9.0292, 2442.0);
    expect(found[1], "II.001", true, 74.5, 42.6, 1615.0, 30.0);
    // Without degrees: y before x.
    expect(read("X1 DB 67000.0 22732.14 0.0 10.0\nX2 DB 10 20 0 0\n")[1], "DB.X2", false, 20.0, 10.0, 0.0);
}

TEST_F(StationFiles, TablesWithHeadings) {
    const auto found =
        read("Network,Station,Latitude,Longitude,Elevation (m)\nCI,\"PAS\",34.148,-118.171,314\n");
    ASSERT_EQ(found.size(), 1u);
    expect(found[0], "CI.PAS", true, -118.171, 34.148, 314.0);
    const auto deep = read("name; x; y; depth\nlow;1;2;350\n");
    expect(deep[0], "low", false, 1.0, 2.0, -350.0, 350.0);
    expect(read("x\ty\tz\n1\t2\t3\n")[0], "", false, 1.0, 2.0, 3.0);
    expect(read("\xEF\xBB\xBFlon lat\n1 2\n")[0], "", true, 1.0, 2.0, 0.0);
}

TEST_F(StationFiles, StationXmlWithEpochsChannelsAndPrefixes) {
    const std::string channel =
        "<Channel "
        "code='HHZ'><Latitude>1</Latitude><Longitude>2</Longitude><Elevation>3</Elevation></Channel>";
    const auto station = [&](const char* code, const char* latitude) {
        return std::string("<Station startDate=\"2001\" code=\"") + code +
               "\"><Description>x &lt; y</Description><Latitude unit=\"DEGREES\">" + latitude +
               "</Latitude>\n<Longitude> -116.4 </Longitude><Elevation>1280.0</Elevation><Site/>" + channel +
               "</Station>";
    };
    const auto found =
        read("<?xml version=\"1.0\"?>\n<!-- <Station> -->\n<FDSNStationXML><Network code=\"II\">" +
             station("PFO", "33.6") + station("PFO", "33.6") + "</Network><Network code=\"CI\">" +
             station("PFO", "33.7") + "</Network></FDSNStationXML>");
    ASSERT_EQ(found.size(), 2u);
    expect(found[0], "II.PFO", true, -116.4, 33.6, 1280.0);
    expect(found[1], "CI.PFO", true, -116.4, 33.7, 1280.0);
    EXPECT_NE(refusal("<kml><Station code='a'/></kml>").find("expected StationXML"), std::string::npos);
    EXPECT_NE(refusal("<FDSNStationXML><Network code='a'><Station code='b'><Latitude>north</Latitude>")
                  .find(":1: Latitude = north: expected a number"),
              std::string::npos);
}

TEST_F(StationFiles, StationXmlThatIsNotWholeOrIsMisleadingIsRefusedOrReadAsMeant) {
    const auto document = [](const std::string& stations) {
        return "<FDSNStationXML><Network code=\"N\">\n" + stations + "</Network></FDSNStationXML>";
    };
    const std::string latitude = "<Latitude>\t1\r\n</Latitude>", longitude = "<Longitude>2</Longitude>",
                      elevation = "<Elevation>3</Elevation>", sound = latitude + longitude + elevation;
    // Text that looks like tags.
    const auto found =
        read(document("<Station code='A'><![CDATA[<Latitude>9</Latitude>]]>" + sound + "</Station>"));
    ASSERT_EQ(found.size(), 1u);
    expect(found[0], "N.A", true, 2.0, 1.0, 3.0);
    // No station is left out in silence: its end, another's beginning or the file's end comes before all three.
    for (const std::string& text : {"<Station code='A'>" + latitude + longitude + "</Station>",
                                    "<Station code='A'/><Station code='B'>" + sound + "</Station>",
                                    "<Station code='A'>" + latitude + latitude + longitude + "</Station>"})
        EXPECT_NE(refusal(document(text)).find(":2: N.A: expected Latitude, Longitude and Elevation"),
                  std::string::npos)
            << refusal(document(text));
    EXPECT_NE(refusal("<FDSNStationXML><Station code='A'>" + latitude).find(":1: A: expected Latitude"),
              std::string::npos);
    EXPECT_NE(refusal(document("<Station code='A'><Latitude>33,7</Latitude>"))
                  .find(":2: Latitude = 33,7: expected a number"),
              std::string::npos);
    EXPECT_NE(refusal(document("<Station><Latitude>33.7</Latitude>")).find(":2: Station: expected a code"),
              std::string::npos);
}

TEST_F(StationFiles, WhatIsNoneIsRefusedByItsLine) {
    EXPECT_NE(refusal("").find("no receivers"), std::string::npos);
    EXPECT_NE(refusal("1 2 3\n4 5\n").find(":2: 4 5: expected x, y and z"), std::string::npos);
    EXPECT_NE(refusal("1 2 3\n4 5 six\n").find(":2: 4 5 six: expected a number in column 3: z"),
              std::string::npos);
    EXPECT_NE(refusal("A B 1 2 3 4\nC D 1 2\n").find(":2"), std::string::npos);
    EXPECT_NE(refusal("name,lon\nA,1\n").find(":1"), std::string::npos);
    EXPECT_NE(refusal("lon,lat\n400,2\n").find(":2: longitude, latitude = 400, 2: expected"),
              std::string::npos);
    EXPECT_NE(refusal("hello\n").find(":1: hello: expected a list of receivers"), std::string::npos);
}

}  // namespace
