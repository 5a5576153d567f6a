#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>

#include "groundswell/sea/spectrum/spreading.hpp"
#include "support/sea_propagation_case.hpp"

// The cure of the garden sprinkler effect: the diffusion of Booij & Holthuijsen (1987) against its own formulas, and a swell from a
// small source against the exact one.
namespace groundswell::sea {
namespace {

using namespace test;
using base::earth_radius;

PropagationOptions spreading(double age) {
    PropagationOptions options = with_scheme(PropagationScheme::second_order);
    options.turning = false;
    options.swell_age = age;
    return options;
}

double x_of(const Case& sea, int cell) {
    return earth_radius * sea.mesh.lon[cell];
}
double y_of(const Case& sea, int cell) {
    return earth_radius * sea.mesh.lat[cell];
}
double bell(double x, double y, double width) {
    return std::exp(-0.5 * (x * x + y * y) / (width * width));
}

// Variances along and across the way of frequency 0 in direction `d`.
std::pair<double, double> variances(const Case& sea, int d) {
    double sum = 0.0, s1 = 0.0, s2 = 0.0, n1 = 0.0, n2 = 0.0;
    for (int cell = 0; cell < sea.mesh.owned; ++cell) {
        const double n = sea.at(cell, 0, d) * sea.mesh.area[cell];
        const double along = x_of(sea, cell) * sea.grid.cosine[d] + y_of(sea, cell) * sea.grid.sine[d];
        const double across = y_of(sea, cell) * sea.grid.cosine[d] - x_of(sea, cell) * sea.grid.sine[d];
        sum += n;
        s1 += n * along;
        s2 += n * along * along;
        n1 += n * across;
        n2 += n * across * across;
    }
    return {s2 / sum - s1 * s1 / (sum * sum), n2 / sum - n1 * n1 / (sum * sum)};
}

// A blob with the diffusion less one without: 2 D t, in whatever direction of the hexagons it goes. Without the limiter the scheme is
// linear, and its own errors are those of the other blob.
void expect_diffusion(int directions, double ratio, double along_of_across) {
    const double spacing = 1000.0, age = 3600.0;
    const SpectralGrid grid(3, directions, 0.1, ratio);
    const auto make = [&](double of_age) {
        PropagationOptions options = spreading(of_age);
        options.limiter = false;
        Case sea(patch(60, 70, spacing, [](double, double) { return 1000.0; }), grid, options);
        sea.fill(
            [&](int cell, int f, int) { return f == 0 ? bell(x_of(sea, cell), y_of(sea, cell), 4e3) : 0.0; });
        return sea;
    };
    Case with = make(age), without = make(0.0);
    const double speed = with.propagator.group_speed(0)[0], dt = 0.5 * with.propagator.longest_step().seconds;
    const int steps = static_cast<int>(8e3 / (speed * dt));
    for (int i = 0; i < steps; ++i) {
        with.step(dt);
        without.step(dt);
    }
    const double across = std::pow(speed * grid.direction_width, 2) * age / 12.0;
    for (const int d : {0, 1, directions / 8, directions / 4 - 1}) {
        const auto [s, n] = variances(with, d);
        const auto [s0, n0] = variances(without, d);
        EXPECT_NEAR((n - n0) / (2.0 * across * steps * dt), 1.0, 0.02) << d;
        EXPECT_NEAR((s - s0) / (2.0 * across * steps * dt), along_of_across, 0.02) << d;
    }
}

TEST(Spreading, HasTheDiffusionOfBooijAndHolthuijsenAcrossAndAlongTheWay) {
    const double stretch = 0.5 * (1.1 - 1.0 / 1.1), bend = base::two_pi / 48;
    expect_diffusion(48, 1.1, stretch * stretch / (bend * bend));
}

TEST(Spreading, HasAThirdAlongTheWayWhereThatIsTheLeastThatFacesCan) {
    expect_diffusion(24, 1.02, 1.0 / 3.0);
}

TEST(Spreading, IsBoundByTheDistanceOfCells) {
    const SpectralGrid grid(3, 24, 0.05, 1.1);
    const Spreading old(grid, 1e9), young(grid, 3600.0);
    EXPECT_EQ(old.share(15.0, 17.0, 1e4), Spreading::most);
    EXPECT_LT(young.share(15.0, 17.0, 1e4), 0.2 * Spreading::most);
    EXPECT_DOUBLE_EQ(young.share(15.0, 17.0, 1e4), 2.0 * young.share(15.0, 17.0, 2e4));
    EXPECT_FALSE(Spreading(grid, 0.0).any());
}

// The swell of Tolman (2002, Ocean Modelling 4, 269–289), a tenth as large, from a blob of 15 km that has gone some 400 km in
// directions around east: against ten times the directions, whose sum of blobs is the exact solution.
struct Sprinkler {
    double fingers, peak;  // rms of the error of heights, and the error of the highest, of the highest
};

Sprinkler sprinkle(double age) {
    const double width = 15e3, way = 400e3;
    const int fine = 10;
    Case sea(patch(102, 125, 5e3, [](double, double) { return 4000.0; }), SpectralGrid(3, 24, 0.065, 1.1),
             spreading(age));
    const auto from = [&](int cell) { return x_of(sea, cell) + 0.42 * way; };
    const auto spread = [](double cosine) { return std::pow(std::max(0.0, cosine), 4); };
    sea.fill([&](int cell, int f, int d) {
        return f == 0 ? spread(sea.grid.cosine[d]) * bell(from(cell), y_of(sea, cell), width) : 0.0;
    });
    const double speed = sea.propagator.group_speed(0)[0], dt = 0.9 * sea.propagator.longest_step().seconds;
    const int steps = static_cast<int>(way / (speed * dt));
    for (int i = 0; i < steps; ++i) sea.step(dt);
    const double gone = steps * dt * speed;
    double worst = 0.0, highest = 0.0, highest_found = 0.0;
    int places = 0;
    for (int cell = 0; cell < sea.mesh.owned; ++cell) {
        double found = 0.0, exact = 0.0;
        for (int d = 0; d < sea.grid.directions; ++d) found += sea.at(cell, 0, d);
        for (int d = 0; d < fine * sea.grid.directions; ++d) {
            const double angle = d * sea.grid.direction_width / fine;
            exact +=
                spread(std::cos(angle)) / fine *
                bell(from(cell) - gone * std::cos(angle), y_of(sea, cell) - gone * std::sin(angle), width);
        }
        highest = std::max(highest, std::sqrt(exact));
        highest_found = std::max(highest_found, std::sqrt(found));
        if (exact < 1e-3) continue;
        worst += std::pow(std::sqrt(found) - std::sqrt(exact), 2);
        ++places;
    }
    return {std::sqrt(worst / places) / highest, highest_found / highest - 1.0};
}

TEST(SpreadingLong, HalvesTheFingersOfASwellAndKeepsItsPeak) {
    const Sprinkler before = sprinkle(0.0), after = sprinkle(3.0 * 3600.0);
    EXPECT_GT(before.peak, 0.3);
    EXPECT_LT(after.fingers, 0.5 * before.fingers) << before.fingers;
    EXPECT_LT(std::abs(after.peak), 0.05);
}

}  // namespace
}  // namespace groundswell::sea
