// The wind that waves feel, on a device: the bits of the processor's, and what crosses between two.
#include "groundswell/sea/forcing/device/on_device.hpp"

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "groundswell/exec/device/host_device.hpp"
#include "groundswell/exec/device/played/played_device.hpp"
#include "groundswell/sea/forcing/kinds/kinds.hpp"
#include "groundswell/sea/forcing/shape_entry.hpp"
#include "support/wind_cells.hpp"

namespace groundswell::sea {

using namespace test;
namespace {

const exec::DeviceLimits limits{"played", 32, 48 << 10, 64 << 20};

WindFileMaker turning_wind() {
    WindFileMaker maker;
    maker.eastward = [](double t, double y, double x) { return 9.0 * std::sin(0.3 * t + 0.2 * y + 0.1 * x); };
    maker.northward = [](double t, double y, double x) { return 8.0 * std::cos(0.2 * t - 0.1 * y + x); };
    return maker;
}

/// A forcing on the host, as processors have it, and another one, whose wind a device makes.
struct Pair {
    Pair(exec::Device& on, std::vector<ForcingSection> given, bool relative_wind)
        : sections(std::move(given)),
          relative(relative_wind),
          device(on),
          stream(on.make_stream()),
          here(make()),
          there(make()),
          wind(on, stream, *there, places.longitude.size(), relative_wind) {
        there->leave("wind");
        device.synchronise(stream);
    }
    std::unique_ptr<Forcing> make() const {
        auto made = std::make_unique<Forcing>(
            MPI_COMM_SELF, "case.toml", sections,
            ForcedCells{places.longitude, places.latitude, places.longitude.size()}, day_one, day_two);
        made->read(day_one);
        return made;
    }
    // Cells whose bits differ, of speed and vector; and then of the wind that the host settles by itself.
    int differences(double hours) {
        const base::Instant time = day_one + base::milliseconds(std::llround(hours * 3600e3));
        here->read(time);
        there->read(time);
        wind.make(stream);
        const std::size_t n = places.longitude.size();
        std::vector<Real> found[3];
        const std::span<const Real> on_device[3] = {wind.speed(), wind.x(), wind.y()};
        for (int i = 0; i < 3; ++i) {
            found[i].resize(n);
            device.copy_out(stream, found[i].data(), on_device[i].data(), n * sizeof(Real));
        }
        device.synchronise(stream);
        int differ = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const CellForcing& cell = here->cells()[i];
            const FeltWind felt = FeltWind::of(cell.eastward_wind, cell.northward_wind,
                                               relative ? cell.eastward_current : Real(0),
                                               relative ? cell.northward_current : Real(0));
            const FeltWind other{found[0][i], found[1][i], found[2][i]};
            differ += std::memcmp(&felt, &other, sizeof felt) == 0 ? 0 : 1;
        }
        there->settle();
        return differ +
               (std::memcmp(here->cells().data(), there->cells().data(), n * sizeof(CellForcing)) == 0
                    ? 0
                    : 1000);
    }

    Cells places = default_cells();
    std::vector<ForcingSection> sections;
    bool relative;
    exec::Device& device;
    exec::Stream stream;
    std::unique_ptr<Forcing> here, there;
    FeltWindOnDevice wind;
};

class WindOnADevice : public testing::Test {
protected:
    // Through several records, and by longer ways than one.
    static constexpr double hours[] = {0.0, 0.5, 5.9, 6.0, 6.1, 11.0, 12.5, 13.0, 23.0, 24.0};

    void expect_same(const std::vector<ForcingSection>& sections, bool relative) {
        const auto on = [&](exec::Device& device) {
            Pair pair(device, sections, relative);
            for (const double hour : hours) EXPECT_EQ(pair.differences(hour), 0) << hour;
        };
        on(*exec::make_host_device());
        for (unsigned seed = 1; seed <= 5; ++seed) {
            exec::PlayedDevice played(limits, seed);
            on(played);
        }
    }
    std::shared_ptr<const ForcingEntry> wind_file() {
        return entry_of(FileOptions{{turning_wind().write(folder.file("wind.nc"))}, {}});
    }
    // Of a part of the cells, with times of its own.
    FileOptions region(bool over) {
        WindFileMaker maker = turning_wind();
        if (over) maker.longitude = {101.0, 103.0, 105.0};
        maker.time = {0.0, 8.0, 16.0, 24.0};
        FileOptions options{{maker.write(folder.file("region.nc"))}, {}};
        if (over)
            options.over = 2.0;
        else
            options.add = true;
        return options;
    }
    TemporaryFolder folder;
};

TEST_F(WindOnADevice, HasTheBitsOfTheProcessor) {
    expect_same({{&wind_kind(), {wind_file()}}}, false);
    expect_same({{&wind_kind(), {uniform({3.0, -4.0}), entry_of(region(false))}}}, false);
    expect_same({{&wind_kind(), {wind_file(), entry_of(region(true))}}}, false);
    expect_same({{&wind_kind(), {uniform({0.0, 0.0})}}}, false);
    expect_same({}, true);
}

TEST_F(WindOnADevice, IsRelativeToTheCurrent) {
    ShapeOptions jet;
    jet.profile = ShapeOptions::Profile::jet;
    jet.amplitude = {0.5, 0.9};
    jet.longitude = 103.0 * base::degree;
    jet.width = 200e3;
    jet.period = 12.4 * 3600.0;
    jet.high = day_one;
    const std::vector<ForcingSection> both{{&wind_kind(), {wind_file()}},
                                           {&current_kind(), {std::make_shared<ShapeEntry>("jet", jet)}}};
    expect_same(both, true);
    expect_same(both, false);
    expect_same({both[1]}, true);
}

TEST_F(WindOnADevice, AStormComesFromTheHost) {
    VortexOptions storm;
    storm.tracks = {
        folder.write("storm.csv",
                     "time,lat,lon,vmax_kt,pmin_hpa,rmw_nm,r34_ne_nm,r34_se_nm,r34_sw_nm,r34_nw_nm\n"
                     "2024-01-01T00:00:00Z,5,102,90,960,20,120,110,80,100\n"
                     "2024-01-02T00:00:00Z,7,105,95,955,20,120,110,80,100\n")};
    const std::vector<ForcingSection> sections{{&wind_kind(), {wind_file(), entry_of(storm)}}};
    expect_same(sections, false);
    exec::PlayedDevice played(limits, 1);
    Pair pair(played, sections, false);
    EXPECT_EQ(pair.differences(0.0), 0);
    const std::size_t before = played.counts().bytes_in;
    EXPECT_EQ(pair.differences(1.0), 0);
    EXPECT_EQ(played.counts().bytes_in - before, 2 * pair.places.longitude.size() * sizeof(Real));
}

TEST_F(WindOnADevice, NothingCrossesBetweenTwoRecordsAndOneLevelWhenAnotherComes) {
    exec::PlayedDevice played(limits, 1);
    Pair pair(played, {{&wind_kind(), {wind_file(), entry_of(region(true))}}}, false);
    const std::size_t level = 2 * pair.places.longitude.size() * sizeof(double);
    const auto bytes_in = [&](double hour) {
        const std::size_t before = played.counts().bytes_in;
        EXPECT_EQ(pair.differences(hour), 0) << hour;
        return played.counts().bytes_in - before;
    };
    EXPECT_EQ(bytes_in(0.0), 4 * level);  // both levels of both files
    EXPECT_EQ(bytes_in(1.0), 0);
    EXPECT_EQ(bytes_in(5.0), 0);
    EXPECT_EQ(bytes_in(6.5), level);  // of the file of six hours
    EXPECT_EQ(bytes_in(7.5), 0);
    EXPECT_EQ(bytes_in(8.5), level);  // of that of eight
    EXPECT_EQ(bytes_in(13.0), level);
    EXPECT_EQ(bytes_in(24.0), 2 * level);  // the last record of both
}

}  // namespace
}  // namespace groundswell::sea
