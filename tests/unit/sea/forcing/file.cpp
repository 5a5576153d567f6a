#include <cmath>
#include <cstdlib>

#include "support/wind_cells.hpp"

namespace groundswell::sea {

using namespace test;
namespace {

using base::degree;

// u = 1 + 0.2 t + 0.05 x − 0.1 y and v = −2 + 0.1 t + 0.01 x y are linear in time and bilinear in space.
void make_linear(WindFileMaker& maker) {
    maker.eastward = [](double t, double y, double x) {
        return 1.0 + 0.2 * t + 0.05 * (x - 100.0) - 0.1 * y;
    };
    maker.northward = [](double t, double y, double x) { return -2.0 + 0.1 * t + 0.01 * (x - 100.0) * y; };
}

void expect_linear(WindForcing& forcing, const Cells& cells, double tolerance) {
    for (double hour : {0.0, 1.5, 6.0, 11.0, 12.0, 23.99, 24.0, 3.0}) {
        const auto wind = wind_at(forcing, cells.longitude.size(),
                                  day_one + base::milliseconds(std::llround(hour * 3600e3)));
        for (std::size_t i = 0; i < cells.longitude.size(); ++i) {
            const double x = cells.longitude[i] / degree - 100.0, y = cells.latitude[i] / degree;
            ASSERT_NEAR(wind.u[i], 1.0 + 0.2 * hour + 0.05 * x - 0.1 * y, tolerance) << hour;
            ASSERT_NEAR(wind.v[i], -2.0 + 0.1 * hour + 0.01 * x * y, tolerance) << hour;
        }
    }
}

TEST(SeaForcingWindFile, LinearFieldsComeBackExactly) {
    const TemporaryFolder folder;
    WindFileMaker maker;
    make_linear(maker);
    const Cells cells = default_cells();
    for (const std::vector<double>& latitude : {std::vector<double>{0.0, 5.0, 10.0}, {10.0, 3.0, 0.0}}) {
        maker.latitude = latitude;
        WindForcing forcing =
            make(sea::FileOptions{{maker.write(folder.file("wind.nc"))}, {}, false, 1024.0}, cells);
        expect_linear(forcing, cells, 2e-6);
    }
}

TEST(SeaForcingWindFile, AYearThatBeginsAHairAfterTheRunBeginsTheYearBefore) {
    const TemporaryFolder folder;
    WindFileMaker maker;
    maker.time[0] = 1e-305;  // hours: nothing beside a year, yet after the start
    const Cells cells = default_cells();
    WindForcing forcing =
        make(sea::FileOptions{{maker.write(folder.file("wind.nc"))}, {}, true, 1024.0}, cells);
    const auto wind = wind_at(forcing, cells.longitude.size(), day_one);
    EXPECT_NEAR(wind.u[0], 1.0, 1e-6);
}

TEST(SeaForcingWindFile, PackedValuesAreUnpacked) {
    const TemporaryFolder folder;
    WindFileMaker maker;
    make_linear(maker);
    maker.packed = true;
    const Cells cells = default_cells();
    WindForcing forcing =
        make(sea::FileOptions{{maker.write(folder.file("wind.nc"))}, {}, false, 1024.0}, cells);
    expect_linear(forcing, cells, 0.00501);
}

TEST(SeaForcingWindFile, KnotsBecomeMetresPerSecond) {
    const TemporaryFolder folder;
    WindFileMaker maker;
    maker.units = "knots";
    const Cells cells = default_cells();
    WindForcing forcing =
        make(sea::FileOptions{{maker.write(folder.file("wind.nc"))}, {}, false, 1024.0}, cells);
    EXPECT_NEAR(wind_at(forcing, cells.longitude.size(), day_one).u[0], 0.514444, 1e-6);
}

TEST(SeaForcingWindFile, VariablesAreFoundByStandardNameThenByCommonNameOrAsNamed) {
    const TemporaryFolder folder;
    const Cells cells = default_cells();
    WindFileMaker maker;
    maker.time_name = "MT";
    maker.eastward_name = "a", maker.northward_name = "b";
    maker.eastward_standard_name = "eastward_wind", maker.northward_standard_name = "northward_wind";
    const std::string path = folder.file("named.nc");
    WindForcing by_standard_name =
        make(sea::FileOptions{{maker.write(folder.file("standard.nc"))}, {}, false, 1024.0}, cells);
    EXPECT_EQ(wind_at(by_standard_name, cells.longitude.size(), day_one).v[0], 2.0f);

    maker.eastward_standard_name = maker.northward_standard_name = "";
    EXPECT_TRUE(says(refusal(maker), {"wind.nc", "a, b", "eastward_wind", "u10"}));
    WindForcing as_named = make(sea::FileOptions{{maker.write(path)}, {"b", "a"}, false, 1024.0}, cells);
    EXPECT_EQ(wind_at(as_named, cells.longitude.size(), day_one).u[0], 2.0f);
    EXPECT_TRUE(says(refusal_of([&] {
                         make(sea::FileOptions{{path}, {"a", "bb"}, false, 1024.0}, cells);
                     }),
                     {"named.nc", "bb"}));

    maker.eastward_name = "UGRD_10maboveground", maker.northward_name = "VGRD_10maboveground";
    WindForcing by_common_name =
        make(sea::FileOptions{{maker.write(folder.file("common.nc"))}, {}, false, 1024.0}, cells);
    EXPECT_EQ(wind_at(by_common_name, cells.longitude.size(), day_one).u[0], 1.0f);

    maker.eastward_standard_name = maker.northward_standard_name = "eastward_wind";
    maker.eastward_name = "a", maker.northward_name = "b";
    EXPECT_TRUE(says(refusal(maker), {"eastward_wind", "a, b"}));
}

// Days 1 and 2 in one file, days 2 and 3 in the other, which holds where both speak; components in files of
// their own.
TEST(SeaForcingWindFile, SeveralFilesMakeOneSeries) {
    const TemporaryFolder folder;
    const Cells cells = default_cells();
    WindFileMaker first, second, component;
    second.time = {24.0, 30.0, 36.0, 42.0, 48.0};
    first.time = {0.0, 6.0, 12.0, 18.0, 24.0, 30.0};
    second.eastward = [](double, double, double) { return 5.0; };
    const std::string a = first.write(folder.file("a.nc")), b = second.write(folder.file("b.nc"));
    WindForcing forcing = make(sea::FileOptions{{a, b}, {}, false, 1024.0}, cells, day_one, at("2024-01-03"));
    const std::size_t n = cells.longitude.size();
    EXPECT_EQ(wind_at(forcing, n, at("2024-01-01T18:00")).u[0], 1.0f);
    EXPECT_EQ(wind_at(forcing, n, at("2024-01-01T21:00")).u[0], 3.0f);  // half-way
    EXPECT_EQ(wind_at(forcing, n, at("2024-01-02T03:00")).u[0], 5.0f);
    EXPECT_EQ(wind_at(forcing, n, at("2024-01-03T00:00")).u[0], 5.0f);
    EXPECT_TRUE(says(refusal_of([&] {
                         make(sea::FileOptions{{b, a}, {}, false, 1024.0}, cells);
                     }),
                     {"a.nc", "order of time", "b.nc"}));

    component.northward_present = false;
    const std::string u = component.write(folder.file("u.nc"));
    component.eastward_name = "v10";
    component.eastward = [](double, double, double) { return 7.0; };
    const std::string v = component.write(folder.file("v.nc"));
    WindForcing apart = make(sea::FileOptions{{u, v}, {}, false, 1024.0}, cells);
    EXPECT_EQ(wind_at(apart, n, day_one).u[0], 1.0f);
    EXPECT_EQ(wind_at(apart, n, day_one).v[0], 7.0f);
    EXPECT_TRUE(says(refusal_of([&] {
                         make(sea::FileOptions{{u}, {}, false, 1024.0}, cells);
                     }),
                     {"u.nc", "northward_wind"}));
    second.longitude[1] = 103.0;
    const std::string c = second.write(folder.file("c.nc"));
    EXPECT_TRUE(says(refusal_of([&] {
                         make(sea::FileOptions{{a, c}, {}, false, 1024.0}, cells);
                     }),
                     {"c.nc", "the grid of", "a.nc"}));
}

// cos(lon) around the Earth, read by cells on both sides of the date line and of the file's seam.
TEST(SeaForcingWindFile, TheDateLineAndTheSeamAreNoBorders) {
    const TemporaryFolder folder;
    WindFileMaker maker;
    maker.longitude.clear();
    for (int i = 0; i < 180; ++i) maker.longitude.push_back(2.0 * i);
    maker.eastward = [](double, double, double x) { return std::cos(x * degree); };
    const sea::FileOptions options{{maker.write(folder.file("wind.nc"))}, {}, false, 1024.0};
    Cells cells;
    for (double lon : {-181.0, -179.3, 178.9, 180.0, -1.5, 0.0, 0.4, 359.9, 358.3}) cells.add(lon, 5.0);
    WindForcing forcing = make(options, cells);
    const auto wind = wind_at(forcing, cells.longitude.size(), day_one);
    for (std::size_t i = 0; i < cells.longitude.size(); ++i)
        EXPECT_NEAR(wind.u[i], std::cos(cells.longitude[i]), 2e-4);
}

// The bits of a cell's wind are the same whichever cells the rank owns besides, and in any order of times.
TEST(SeaForcingWindFile, ACellsWindDoesNotDependOnThePartition) {
    const TemporaryFolder folder;
    WindFileMaker maker;
    maker.eastward = [](double t, double y, double x) { return 10.0 * std::sin(t + x * y); };
    const sea::FileOptions options{{maker.write(folder.file("wind.nc"))}, {}, false, 1024.0};
    const Cells all = default_cells();
    const base::Instant time = at("2024-01-01T13:37:11.003");
    WindForcing whole = make(options, all);
    wind_at(whole, all.longitude.size(), at("2024-01-01T20:00"));
    const auto expected = wind_at(whole, all.longitude.size(), time);
    const std::size_t third = all.longitude.size() / 3;
    for (std::size_t begin : {std::size_t{0}, third, 2 * third}) {
        const std::span<const double> lon(all.longitude), lat(all.latitude);
        Cells cells;
        cells.longitude.assign(lon.begin() + static_cast<std::ptrdiff_t>(begin),
                               lon.begin() + static_cast<std::ptrdiff_t>(begin + third));
        cells.latitude.assign(lat.begin() + static_cast<std::ptrdiff_t>(begin),
                              lat.begin() + static_cast<std::ptrdiff_t>(begin + third));
        WindForcing forcing = make(options, cells);
        const auto wind = wind_at(forcing, third, time);
        for (std::size_t i = 0; i < third; ++i) EXPECT_EQ(wind.u[i], expected.u[begin + i]);
    }
    WindForcing none = make(options, Cells{});
    wind_at(none, 0, time);
}

// Twelve months of one year, in the middle of each: the last and the first are neighbours.
TEST(SeaForcingWindFile, AClimatologyRepeatsEveryYear) {
    const TemporaryFolder folder;
    WindFileMaker maker;
    const double month = 365.2425 / 12.0;
    maker.time.clear();
    for (int i = 0; i < 12; ++i) maker.time.push_back((i + 0.5) * month);
    maker.time_units = "days since 0000-01-01";
    maker.eastward = [month](double t, double, double) {
        return t < 0.6 * month ? 4.0 : t > 11.4 * month ? 8.0 : 0.0;
    };
    const sea::FileOptions options{{maker.write(folder.file("wind.nc"))}, {}, true, 1024.0};
    const Cells cells = default_cells();
    WindForcing forcing = make(options, cells, at("2023-12-01"), at("2024-02-01"));
    for (const char* year : {"2023", "2024"}) {
        EXPECT_NEAR(wind_at(forcing, cells.longitude.size(), at(std::string(year) + "-01-01")).u[0], 6.0,
                    1e-5);
        EXPECT_NEAR(wind_at(forcing, cells.longitude.size(), at(std::string(year) + "-01-16T05:00")).u[0],
                    4.0, 0.1);
    }
    const auto before = wind_at(forcing, cells.longitude.size(), at("2023-12-31T23:59:59"));
    EXPECT_NEAR(before.u[0], 6.0, 1e-4);
}

TEST(SeaForcing, AUniformWindIsTheSameEverywhereAndOnlyAVortexStandsOverAWind) {
    const Cells cells = default_cells();
    WindForcing forcing = make(uniform({3.0, -4.0}), cells);
    const auto wind = wind_at(forcing, cells.longitude.size(), day_one);
    for (std::size_t i = 0; i < cells.longitude.size(); ++i) {
        EXPECT_EQ(wind.u[i], 3.0f);
        EXPECT_EQ(wind.v[i], -4.0f);
    }
    const ForcingEntries two = {uniform({1.0, 0.0}), uniform({2.0, 0.5})};
    EXPECT_TRUE(says(refusal_of([&] {
                         WindForcing(MPI_COMM_SELF, "case.toml", two, cells.longitude, cells.latitude,
                                     day_one, day_two);
                     }),
                     {"case.toml", "wind[1].uniform", "[2, 0.5]", "first"}));
    EXPECT_TRUE(says(refusal_of([&] { make(uniform({300.0, 0.0}), cells); }), {"wind[0].uniform", "m/s"}));
}

TEST(SeaForcing, WithoutEntriesItIsCalm) {
    const Cells cells = default_cells();
    WindForcing forcing(MPI_COMM_SELF, "case.toml", {}, cells.longitude, cells.latitude, day_one, day_two);
    EXPECT_EQ(wind_at(forcing, cells.longitude.size(), day_one).u[0], 0.0f);
}

// NCEP CFSv2 by way of HYCOM: packed, time axis MT in days since 1900-12-31. Expected: the file's own value
// at a grid point, read with ncdump at the first time, row 40, column 50.
TEST(SeaForcingWindFile, ReadsCfsv2) {
    const char* data = std::getenv("GROUNDSWELL_TEST_DATA");
    if (data == nullptr) GTEST_SKIP() << "GROUNDSWELL_TEST_DATA is not set";
    const sea::FileOptions options{
        {std::string(data) + "/wind/cfsv2_10m_wind_20250103-05_scs.nc"}, {}, false, 1024.0};
    Cells cells;
    cells.add(120.272726, 18.091990);
    WindForcing forcing = make(options, cells, at("2025-01-03"), at("2025-01-05T23:00"));
    const auto wind = wind_at(forcing, 1, at("2025-01-03"));
    EXPECT_NEAR(wind.u[0], -5.216797, 1e-3);
    EXPECT_NEAR(wind.v[0], -8.068359, 1e-3);
    EXPECT_TRUE(says(refusal_of([&] { make(options, cells, at("2025-01-03"), at("2025-01-06")); }),
                     {"2025-01-03T00:00:00Z … 2025-01-05T23:00:00Z"}));
}

// Monthly means of the US Navy on 2.5 degrees, 20...377.5 E and 90 S...90 N, as the Debian package
// ferret-datasets has them.
TEST(SeaForcingWindFile, ReadsTheMonthlyNavyWindsForTheWholeEarth) {
    const std::string path = "/usr/share/ferret-vis/data/monthly_navy_winds.cdf";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there (package ferret-datasets)";
    Cells cells;
    for (double lon = -180.0; lon < 180.0; lon += 7.3)
        for (double lat = -90.0; lat <= 90.0; lat += 10.0) cells.add(lon, lat);
    cells.add(20.0, -45.0);
    WindForcing forcing =
        make(sea::FileOptions{{path}, {}, false, 1024.0}, cells, at("1990-01-01"), at("1990-02-01"));
    // The 97th time; ncdump shows this UWND at 20 E, 45 S.
    const auto wind = wind_at(forcing, cells.longitude.size(), at("1990-01-16T20:00:00"));
    EXPECT_NEAR(wind.u.back(), 9.32262, 1e-3);
}

}  // namespace
}  // namespace groundswell::sea
