#include "groundswell/sea/spectrum/integrals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace groundswell::sea {
namespace {

double mean_of_highest(const SpectralGrid& grid, const std::vector<Real>& action) {
    return highest_wave(grid, action.data(), integrate_spectrum(grid, action.data()));
}

// Heights of a narrow sea have the distribution 1 − exp(−H²/8m0) (Longuet-Higgins 1952): the mean of the highest of N is
// ∫ 1 − (1 − exp(−H²/8m0))^N dH.
TEST(HighestWave, OfANarrowSeaItIsTheHighestOfIndependentRayleighHeights) {
    const SpectralGrid grid(30, 24, 0.04, 1.1);
    for (const int i : {2, 10, 20}) {
        std::vector<Real> action(grid.stride());
        const double m0 = 0.5;
        action[grid.index(i, 7)] =
            static_cast<Real>(m0 / (grid.sigma[i] * grid.frequency_width[i] * grid.direction_width));
        const double waves = 1200.0 * grid.frequency[i], step = 1e-3;
        double mean = 0.0;
        for (double h = 0.5 * step; h < 20.0; h += step)
            mean += step * (1.0 - std::pow(1.0 - std::exp(-h * h / (8.0 * m0)), waves));
        EXPECT_NEAR(mean_of_highest(grid, action), mean, 0.015 * mean) << waves;
    }
}

// Of two waves of the same variance ψ(τ) = ½ (cos ω1 τ + cos ω2 τ).
TEST(HighestWave, CrestsOfABroadSeaHaveShallowerTroughs) {
    const SpectralGrid grid(30, 24, 0.04, 1.1);
    std::vector<Real> action(grid.stride());
    const int first = 6, second = 14;
    for (const int i : {first, second})
        action[grid.index(i, 0)] =
            static_cast<Real>(0.25 / (grid.sigma[i] * grid.frequency_width[i] * grid.direction_width));
    const SeaParameters sea = integrate_spectrum(grid, action.data());
    double lowest = 1.0;
    for (double lag = 0.0; lag <= sea.peak_period; lag += 1e-4)
        lowest =
            std::min(lowest, 0.5 * (std::cos(grid.sigma[first] * lag) + std::cos(grid.sigma[second] * lag)));
    const double mode = std::sqrt(2.0 * std::log(1200.0 / sea.mean_period_m02));
    EXPECT_LT(lowest, -0.3);
    EXPECT_GT(lowest, -0.95);
    EXPECT_NEAR(mean_of_highest(grid, action),
                std::sqrt(sea.m0 * 2.0 * (1.0 - lowest)) * (mode + 0.57721566 / mode), 2e-4);
}

TEST(HighestWave, ACalmHasNone) {
    const SpectralGrid grid(30, 24, 0.04, 1.1);
    EXPECT_EQ(mean_of_highest(grid, std::vector<Real>(grid.stride())), 0.0);
}

}  // namespace
}  // namespace groundswell::sea
