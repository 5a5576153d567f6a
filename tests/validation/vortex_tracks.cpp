// The vortex beside the tracks it is made from: at each fix, in each quadrant, the total wind at the track's
// own radii of 34, 50 and 64 knots over these winds. One value is that in the middle of the quadrant, the
// other the mean over it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "support/storm.hpp"

namespace groundswell::sea {
namespace {

const char* const quadrant_names[] = {"north-east", "south-east", "south-west", "north-west"};

struct Ratios {
    int count = 0;
    double sum = 0.0, least = 1e9, most = 0.0;
    void add(double ratio) {
        ++count;
        sum += ratio;
        least = std::min(least, ratio);
        most = std::max(most, ratio);
    }
    double mean() const { return sum / count; }
};

// By wind and quadrant.
struct Statistics {
    std::map<std::pair<std::size_t, std::size_t>, Ratios> middle, mean;
    Ratios strongest;
};

Statistics statistics(const std::string& path) {
    const std::vector<StormFix> given = read_track(path);
    const VortexOptions options;
    const Track track(given, 101000.0);
    Statistics result;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const SteadyStorm storm(track.at(given[i].time), track.fixes()[i].radii);
        result.strongest.add(storm.strongest() / (options.wind_factor * given[i].max_wind));
        for (std::size_t wind = 0; wind < radius_winds.size(); ++wind)
            for (std::size_t q = 0; q < 4; ++q) {
                const double radius = given[i].radii[wind][q];
                if (!(radius > 0.0) || given[i].max_wind < radius_winds[wind]) continue;
                const auto ratio = [&](double angle) {
                    return storm.speed_at(radius, middle_of_quadrant(q) + angle) /
                           (options.wind_factor * radius_winds[wind]);
                };
                result.middle[{wind, q}].add(ratio(0.0));
                double sum = 0.0;
                for (int k = -4; k <= 4; ++k) sum += ratio(10.0 * k);
                result.mean[{wind, q}].add(sum / 9.0);
            }
    }
    return result;
}

void expect_bands(const std::string& path) {
    const Statistics result = statistics(path);
    EXPECT_FALSE(result.middle.empty());
    for (const auto* all : {&result.middle, &result.mean})
        for (const auto& [key, ratios] : *all) {
            const auto [wind, quadrant] = key;
            std::printf("%-36s %2.0f kt, %s, %s: %2d fixes, %.3f (%.2f ... %.2f)\n",
                        path.substr(path.rfind('/') + 1).c_str(), radius_winds[wind] / base::knot,
                        quadrant_names[quadrant], all == &result.middle ? "middle" : "mean", ratios.count,
                        ratios.mean(), ratios.least, ratios.most);
            if (wind == 0) {
                EXPECT_GE(ratios.mean(), 0.9);
                EXPECT_LE(ratios.mean(), 1.1);
                EXPECT_GE(ratios.least, 0.75);
                EXPECT_LE(ratios.most, 1.30);
            } else {
                EXPECT_GE(ratios.mean(), 0.85);
                EXPECT_LE(ratios.mean(), 1.15);
            }
        }
    EXPECT_GT(result.strongest.least, 0.998);
    EXPECT_LT(result.strongest.most, 1.002);
}

TEST(VortexTracks, TheYagiCasesWindReachesAsFarAsItsTrackSays) {
    expect_bands(std::string(GROUNDSWELL_SOURCE_DIR) + "/cases/yagi/yagi.csv");
}

TEST(VortexTracks, BDecksWindReachesAsFarAsTheySay) {
    const char* data = std::getenv("GROUNDSWELL_TEST_DATA");
    if (data == nullptr) GTEST_SKIP() << "GROUNDSWELL_TEST_DATA is not set";
    for (const char* name : {"irene2011_bal092011.dat", "dorian2019-bdeck.dat"})
        expect_bands(std::string(data) + "/tracks/" + name);
}

}  // namespace
}  // namespace groundswell::sea
