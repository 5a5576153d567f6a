#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/sea/spectrum/dispersion.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {
namespace {

// Frequencies are geometric; the widths are the trapezoidal rule's, so they add up to the covered band.
TEST(SpectralGrid, WidthsCoverTheBandAndTheCircle) {
    const SpectralGrid grid(35, 36, 0.04177, 1.1);
    EXPECT_NEAR(std::accumulate(grid.frequency_width.begin(), grid.frequency_width.end(), 0.0),
                grid.frequency.back() - grid.frequency.front(), 1e-12);
    EXPECT_DOUBLE_EQ(grid.direction_width * grid.directions, base::two_pi);
    EXPECT_NEAR(grid.frequency[34] / grid.frequency[33], 1.1, 1e-12);
    EXPECT_EQ(grid.stride(), 1260u);
    EXPECT_EQ(SpectralGrid(5, 7, 0.05, 1.1).stride(), 36u);
}

TEST(SpectralGrid, NonsenseIsADefect) {
    EXPECT_THROW(SpectralGrid(25, 24, 0.04, 1.0), base::Defect);
    EXPECT_THROW(SpectralGrid(25, 24, 0.0, 1.1), base::Defect);
}

// σ² = g k tanh kd at every depth, from very shallow to very deep.
TEST(Dispersion, WaveNumberSolvesTheRelation) {
    for (double depth = 0.1; depth < 1.2e4; depth *= 1.7)
        for (double f = 0.02; f < 2.0; f *= 1.3) {
            const double sigma = base::two_pi * f;
            const double k = wave_number(sigma, depth);
            EXPECT_NEAR(base::gravity * k * std::tanh(k * depth) / (sigma * sigma), 1.0, 1e-13);
        }
}

// cg = dσ/dk: compared with a centred difference of the inverse relation; limits √(gd) and g/(2σ).
TEST(Dispersion, GroupSpeedIsTheDerivative) {
    for (double depth : {0.5, 5.0, 50.0, 5000.0})
        for (double sigma : {0.2, 0.6, 1.5}) {
            const double h = 1e-5 * sigma;
            const double slope = 2.0 * h / (wave_number(sigma + h, depth) - wave_number(sigma - h, depth));
            EXPECT_NEAR(group_speed(sigma, wave_number(sigma, depth), depth) / slope, 1.0, 1e-7);
        }
    EXPECT_NEAR(group_speed(0.6, wave_number(0.6, 6000.0), 6000.0), base::gravity / 1.2, 1e-9);
    EXPECT_NEAR(group_speed(0.01, wave_number(0.01, 1.0), 1.0), std::sqrt(base::gravity), 1e-4);
}

}  // namespace
}  // namespace groundswell::sea
