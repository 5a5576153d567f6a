// What stands where a file has no value is what the case says, and does not depend on what else a rank reads.
#include <mpi.h>

#include <cmath>
#include <limits>

#include "groundswell/base/constants.hpp"
#include "groundswell/gridded/grid_series.hpp"
#include "support/wind_files.hpp"

namespace groundswell::gridded {

using namespace test;
namespace {

const base::Instant day = *base::parse_instant("2024-01-01");

// One value a degree around the Earth, that of its longitude; none within 5° of the Greenwich meridian south of 0°, as on land.
std::string write_field(const TemporaryFolder& folder) {
    WindFileMaker maker;
    maker.longitude.clear();
    for (int i = 0; i < 360; ++i) maker.longitude.push_back(i);
    maker.latitude = {-20, -18, -16, -14, -12, -10, -8, -6, -4, -2, 0, 2, 4};
    maker.eastward = [](double, double y, double x) {
        const bool land = y < 0.0 && (x < 5.5 || x > 354.5);
        return land ? std::numeric_limits<double>::quiet_NaN() : x;
    };
    return maker.write(folder.file("field.nc"));
}

std::vector<double> values(const std::string& path, Gaps gaps, std::vector<double> lon,
                           std::vector<double> lat) {
    Quantity quantity;
    quantity.common_names = {"u10"};
    quantity.section = "wind[]";
    quantity.factor = [](std::string_view) { return 1.0; };
    for (auto* degrees : {&lon, &lat})
        for (double& value : *degrees) value *= base::degree;
    Stated stated;
    stated.gaps = gaps;
    GridSeries series(quantity, {{path, "u10", stated}}, {}, lon, lat, day, day);
    series.open(MPI_COMM_SELF, 0.0, day);
    const LinearInTime at_day = series.at(day);
    std::vector<double> found;
    for (std::size_t i = 0; i < lon.size(); ++i) found.push_back(at_day.at(i));
    return found;
}

TEST(GriddedGaps, TheNearestValueStandsInWhateverElseIsRead) {
    const TemporaryFolder folder;
    const std::string path = write_field(folder);
    // 1° east: row −2 is one step from row 0; deep inside, the coast of 6° is nearer than row 0.
    const std::vector<double> lon = {1, 359, 3, 357, 200, 355.25}, lat = {-2, -2, -14, -14, -14, -13};
    const std::vector<double> expected = {1, 359, 6, 354, 200, 354};
    const std::vector<double> together = values(path, Gaps::nearest, lon, lat);
    for (std::size_t i = 0; i < lon.size(); ++i) {
        EXPECT_DOUBLE_EQ(together[i], expected[i]) << i;
        EXPECT_EQ(values(path, Gaps::nearest, {lon[i]}, {lat[i]})[0], together[i]) << i;
    }
}

TEST(GriddedGaps, ZeroStandsInWhereTheCaseSaysSo) {
    const TemporaryFolder folder;
    const std::vector<double> found = values(write_field(folder), Gaps::zero, {3, 5.5, 200}, {-14, -14, -14});
    EXPECT_DOUBLE_EQ(found[0], 0.0);
    EXPECT_DOUBLE_EQ(found[1], 3.0);  // half way from none to 6
    EXPECT_DOUBLE_EQ(found[2], 200.0);
}

TEST(GriddedGaps, OtherwiseItIsRefusedAndTheMessageSaysWhatHelps) {
    const TemporaryFolder folder;
    const std::string path = write_field(folder);
    EXPECT_TRUE(says(refusal_of([&] { values(path, Gaps::refused, {3}, {-14}); }),
                     {"field.nc", "u10", "missing", "wind[].gaps", "nearest", "zero"}));
}

}  // namespace
}  // namespace groundswell::gridded
