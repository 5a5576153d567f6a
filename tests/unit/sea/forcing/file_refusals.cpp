#include <filesystem>
#include <fstream>
#include <limits>

#include "support/wind_cells.hpp"

namespace groundswell::sea {

using namespace test;
namespace {

TEST(SeaForcingWindRefusal, APeriodThatIsNotCoveredIsRefusedWithBothRanges) {
    EXPECT_TRUE(
        says(refusal(WindFileMaker(), day_one, at("2024-01-02T00:00:01")),
             {"wind.nc", "u10", "2024-01-01T00:00:00Z … 2024-01-02T00:00:00Z", "2024-01-02T00:00:01Z"}));
    EXPECT_TRUE(says(refusal(WindFileMaker(), at("2023-12-31"), day_two), {"2023-12-31T00:00:00Z"}));
}

TEST(SeaForcingWindRefusal, ARegionThatIsNotCoveredIsRefusedWithBothRanges) {
    Cells cells = default_cells();
    cells.add(115.0, 5.0);
    EXPECT_TRUE(says(refusal(WindFileMaker(), day_one, day_two, cells),
                     {"wind.nc", "100.00…107.00°E, 0.00…10.00°N", "100.00…115.00°E", "115.000°E, 5.000°N"}));
}

TEST(SeaForcingWindRefusal, AMissingTimeIsRefusedWithItsPlace) {
    WindFileMaker maker;
    maker.time = {0.0, 6.0, 18.0, 24.0, 30.0};
    EXPECT_TRUE(says(refusal(maker), {"wind.nc", "2024-01-01T06:00:00Z to 2024-01-01T18:00:00Z", "6h"}));
    maker.time = {0.0, 6.0, 6.0, 24.0};
    EXPECT_TRUE(says(refusal(maker), {"wind.nc", "time[2]", "increase"}));
}

TEST(SeaForcingWindRefusal, AGapOutsideThePeriodDoesNotMatter) {
    const TemporaryFolder folder;
    WindFileMaker maker;
    maker.time = {0.0, 6.0, 12.0, 18.0, 24.0, 48.0, 54.0};
    make(sea::FileOptions{{maker.write(folder.file("wind.nc"))}, {}, false, 1024.0}, default_cells());
}

TEST(SeaForcingWindRefusal, WrongUnitsCalendarsAndDimensionsAreRefused) {
    WindFileMaker maker;
    maker.units = "Pa";
    EXPECT_TRUE(says(refusal(maker), {"wind.nc", "u10:units = Pa", "m s-1"}));
    maker.units = "";
    EXPECT_TRUE(says(refusal(maker), {"u10:units = (none)"}));
    maker = WindFileMaker();
    maker.calendar = "noleap";
    EXPECT_TRUE(says(refusal(maker), {"wind.nc", "time:calendar = noleap", "standard"}));
    maker = WindFileMaker();
    maker.time_units = "months since 2024-01-01";
    EXPECT_TRUE(says(refusal(maker), {"time:units = months since 2024-01-01"}));
    maker = WindFileMaker();
    maker.time_last = true;
    EXPECT_TRUE(says(refusal(maker), {"u10", "(latitude, longitude, time)", "(time, latitude, longitude)"}));
}

TEST(SeaForcingWindRefusal, UnitsThatAFileLeavesOutAreStatedInTheCase) {
    const TemporaryFolder folder;
    const Cells cells = default_cells();
    const auto eastward = [&](const WindFileMaker& maker, const gridded::Stated& units) {
        WindForcing forcing =
            make(sea::FileOptions{{maker.write(folder.file("wind.nc"))}, {}, false, 1024.0, units}, cells);
        return wind_at(forcing, cells.longitude.size(), day_one).u[0];
    };
    WindFileMaker maker;
    maker.units = "";
    EXPECT_TRUE(says(refusal(maker), {"u10:units = (none)", "wind[].units"}));
    EXPECT_NEAR(eastward(maker, {"knots", ""}), 0.514444, 1e-6);
    EXPECT_EQ(eastward(maker, {"m/s", ""}), 1.0f);
    maker.units = "furlongs";  // that nobody understands
    EXPECT_EQ(eastward(maker, {"m/s", ""}), 1.0f);
    maker.units = "m s-1";
    EXPECT_EQ(eastward(maker, {"m/s", ""}), 1.0f);
    EXPECT_TRUE(says(refusal_of([&] {
                         eastward(maker, {"knots", ""});
                     }),
                     {"u10:units = m s-1", "knots, as"}));

    maker.time_units = "";
    EXPECT_TRUE(says(refusal(maker), {"time:units = (none)", "wind[].time_units"}));
    maker.eastward = [](double t, double, double) { return t; };
    maker.time = {0.0, 12.0, 24.0, 36.0, 48.0};
    EXPECT_EQ(eastward(maker, {"", "hours since 2023-12-31"}), 24.0f);
    maker.time_units = "hours since 2023-12-31 00:00:00";
    EXPECT_EQ(eastward(maker, {"", "hours since 2023-12-31"}), 24.0f);
    EXPECT_TRUE(says(refusal_of([&] {
                         eastward(maker, {"", "days since 2023-12-31"});
                     }),
                     {"time:units = hours since", "days since 2023-12-31, as"}));
}

TEST(SeaForcingWindRefusal, AMissingValueIsRefusedOnlyWhereACellNeedsIt) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    WindFileMaker maker;
    maker.northward = [nan](double t, double y, double x) {
        return t == 18.0 && y == 5.0 && x == 104.0 ? nan : 1.0;
    };
    for (bool packed : {false, true}) {
        maker.packed = packed;
        EXPECT_TRUE(
            says(refusal(maker), {"wind.nc", "v10 at 2024-01-01T18:00:00Z, 104.000°E, 5.000°N", "missing"}));
    }
    Cells west;
    west.add(101.0, 5.0);
    west.add(102.0, 5.0);
    const TemporaryFolder folder;
    make(sea::FileOptions{{maker.write(folder.file("wind.nc"))}, {}, false, 1024.0}, west);
    make(sea::FileOptions{{folder.file("wind.nc")}, {}, false, 1024.0}, default_cells(), day_one,
         at("2024-01-01T12:00"));

    // Beyond the limit of what is read at the start, the value is met in the run.
    const sea::FileOptions unchecked{{folder.file("wind.nc")}, {}, false, 0.0};
    const Cells cells = default_cells();
    WindForcing forcing = make(unchecked, cells);
    wind_at(forcing, cells.longitude.size(), at("2024-01-01T12:00") + base::milliseconds(-1));
    EXPECT_THROW(wind_at(forcing, cells.longitude.size(), at("2024-01-01T12:00")), base::RunFailure);
}

TEST(SeaForcingWindRefusal, WindsBeyondAllReasonAreRefused) {
    WindFileMaker maker;
    maker.eastward = [](double, double, double) { return 320.0; };
    EXPECT_TRUE(says(refusal(maker), {"wind.nc", "u10", "320 m/s"}));
}

TEST(SeaForcingWindRefusal, AFileThatIsNoNetcdfIsRefused) {
    const TemporaryFolder folder;
    const std::string path = folder.write("wind.nc", "not a NetCDF file");
    EXPECT_TRUE(says(refusal_of([&] {
                         make(sea::FileOptions{{path}, {}, false, 1024.0}, default_cells());
                     }),
                     {"wind.nc", "NetCDF"}));
    EXPECT_TRUE(says(refusal_of([&] {
                         make(sea::FileOptions{{"no.nc"}, {}, false, 1024.0}, default_cells());
                     }),
                     {"no.nc", "No such file"}));
    EXPECT_TRUE(
        says(refusal_of([&] { make(sea::FileOptions{}, default_cells()); }), {"case.toml", "wind[0].file"}));
}

TEST(SeaForcingWindRefusal, AClassicFileThatIsCutShortIsRefusedNotTakenForCalm) {
    const TemporaryFolder folder;
    WindFileMaker maker;
    maker.format = NC_64BIT_OFFSET;
    const std::string path = maker.write(folder.file("wind.nc"));
    const sea::FileOptions options{{path}, {}, false, 1024.0};
    make(options, default_cells());  // is not refused
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 8);
    EXPECT_TRUE(says(refusal_of([&] { make(options, default_cells()); }), {"wind.nc", "v10 = cut short"}));
}

TEST(SeaForcingWindRefusal, AClassicFileThatClaimsMoreRecordsThanItHoldsIsRefusedBeforeMemoryIsTaken) {
    const TemporaryFolder folder;
    WindFileMaker maker;
    maker.format = NC_64BIT_OFFSET;
    maker.unlimited = true;
    const std::string path = maker.write(folder.file("wind.nc"));
    {
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(4);
        file.write("\x7f\xff\xff\xf0", 4);
    }
    sea::FileOptions options;
    options.files = {path};
    EXPECT_TRUE(says(refusal_of([&] { make(options, default_cells()); }), {"wind.nc", "time = cut short"}));
}

TEST(SeaForcingWindRefusal, AFileThatIsReplacedBeforeItsTimeComesEndsTheRun) {
    const TemporaryFolder folder;
    const Cells cells = default_cells();
    WindFileMaker first, second;
    second.time = {24.0, 30.0, 36.0, 42.0, 48.0};
    const std::string a = first.write(folder.file("a.nc")), b = second.write(folder.file("b.nc"));
    const sea::FileOptions options{{a, b}, {}, false, 0.0};
    const auto wind_after = [&](const WindFileMaker& replacement) {
        second.write(b);
        WindForcing forcing = make(options, cells, day_one, at("2024-01-03"));
        replacement.write(b);
        return wind_at(forcing, cells.longitude.size(), at("2024-01-03")).u[0];
    };
    WindFileMaker longer = second, later = second, elsewhere = second;
    longer.time.push_back(54.0);
    EXPECT_EQ(wind_after(longer), 1.0f);
    later.time_units = "hours since 2024-01-02 00:00:00";
    EXPECT_THROW(wind_after(later), base::RunFailure);
    elsewhere.latitude = {0.0, 6.0, 10.0};
    EXPECT_THROW(wind_after(elsewhere), base::RunFailure);
}

}  // namespace
}  // namespace groundswell::sea
