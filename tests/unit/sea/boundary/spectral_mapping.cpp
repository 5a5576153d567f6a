#include "groundswell/sea/boundary/spectral_mapping.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/spectrum/bearing.hpp"
#include "groundswell/sea/spectrum/integrals.hpp"
#include "groundswell/sea/spectrum/parametric_sea.hpp"

// Spectra on other frequencies and directions: heights, mean directions and densities on the model's.
namespace groundswell::sea {
namespace {

const SpectralGrid model(35, 36, 0.04177, 1.1);

std::vector<double> geometric(int count, double first, double ratio) {
    std::vector<double> frequency;
    for (int i = 0; i < count; ++i) frequency.push_back(first * std::pow(ratio, i));
    return frequency;
}
std::vector<double> evenly(int count, double first) {
    std::vector<double> direction;
    for (int j = 0; j < count; ++j) direction.push_back(first - j * base::two_pi / count);  // clockwise
    return direction;
}

// E(f, θ) of a swell from 120° and a wind sea from 210°.
std::vector<double> two_seas(const std::vector<double>& frequency, const std::vector<double>& direction) {
    std::vector<double> density;
    for (const double f : frequency)
        for (const double d : direction) {
            const auto sea = [&](double tp, double from, double power) {
                return jonswap_shape(f * tp, 3.3) *
                       std::pow(std::abs(std::cos(0.5 * (d - direction_to(from)))), power);
            };
            density.push_back(3.0 * sea(13.0, 120.0, 40.0) + 0.4 * sea(7.0, 210.0, 12.0));
        }
    return density;
}

struct Nodes {
    std::vector<double> frequency, direction;
};

class SpectralMappingOf : public testing::TestWithParam<Nodes> {};

TEST_P(SpectralMappingOf, KeepsHeightDirectionAndPeriod) {
    const auto& [frequency, direction] = GetParam();
    const SpectralMapping mapping(model, frequency, direction);
    const std::vector<double> density = two_seas(frequency, direction);
    std::vector<Real> action(model.stride());
    mapping.map(density, action.data());
    const SeaParameters found = integrate_spectrum(model, action.data());
    // The trapezoidal rule in frequency, sums in direction, and the f⁻⁵ tail, of the file's own nodes.
    double m0 = 0.0, x = 0.0, y = 0.0;
    const std::size_t n = direction.size();
    for (std::size_t s = 0; s < frequency.size(); ++s) {
        const double below = s > 0 ? frequency[s - 1] : frequency[s];
        const double width = s + 1 < frequency.size() ? 0.5 * (frequency[s + 1] - below)
                                                      : 0.5 * (frequency[s] - below) + 0.25 * frequency[s];
        for (std::size_t d = 0; d < n; ++d) {
            const double energy = density[s * n + d] * width * base::two_pi / static_cast<double>(n);
            m0 += energy;
            x += energy * std::cos(direction[d]);
            y += energy * std::sin(direction[d]);
        }
    }
    EXPECT_NEAR(mapping.variance(density) / m0, 1.0, 1e-12);
    EXPECT_LT(std::abs(mapping.lost_share(density)), 1e-3);
    EXPECT_NEAR(found.m0 / m0, 1.0, 1e-3);
    EXPECT_NEAR(std::remainder(found.mean_direction - std::atan2(y, x), base::two_pi) / base::degree, 0.0,
                0.2);
    EXPECT_NEAR(found.peak_period, 13.0, 0.03 * 13.0);
    for (int b = 0; b < model.bins(); ++b) EXPECT_GE(action[b], Real(0));
}

INSTANTIATE_TEST_SUITE_P(
    nodes, SpectralMappingOf,
    testing::Values(Nodes{geometric(25, 0.0418, 1.1), evenly(24, 0.3)},           // coarser, turned
                    Nodes{geometric(60, 0.03, 1.06), evenly(120, 0.0)},           // finer
                    Nodes{geometric(30, 0.03453, 1.1), evenly(24, 0.130899694)},  // of ERA5
                    Nodes{geometric(35, 0.04177, 1.1), evenly(36, base::pi)},     // the model's own
                    Nodes{geometric(28, 0.04177, 1.1),
                          evenly(36, 0.1)}));  // fewer of them, turned by half a bin

TEST(SpectralMapping, TakesTheModelsOwnBinsAsTheyAre) {
    const std::vector<double> frequency = geometric(35, 0.04177, 1.1), direction = evenly(36, base::pi);
    const std::vector<double> density = two_seas(frequency, direction);
    const SpectralMapping mapping(model, frequency, direction);
    std::vector<Real> action(model.stride());
    mapping.map(density, action.data());
    for (int i = 0; i < model.frequencies; ++i)
        for (int d = 0; d < model.directions; ++d) {
            const int bin = (18 - d + 36) % 36;         // file direction d goes to π − 10° d
            if (density[i * 36 + d] < 1e-20) continue;  // beyond what a float holds
            ASSERT_NEAR(action[model.index(i, bin)] * model.sigma[i] / density[i * 36 + d], 1.0, 1e-6);
        }
}

// A file with half of its variance below the model's frequencies: that half is lost, and is told.
TEST(SpectralMapping, TellsWhatTheModelsFrequenciesDoNotHold) {
    const std::vector<double> frequency{0.02, 0.03, 0.0300001, 0.1, 0.1000001, 0.11},
        direction = evenly(24, 0.0);
    std::vector<double> density(6 * 24, 0.0);
    const auto row = [&](int s, double value) { std::fill_n(density.begin() + s * 24, 24, value); };
    row(0, 1.0);
    row(1, 1.0);  // 0.01 Hz below all
    row(3, 1.0);  // 0.035 Hz · 1 in all; of the ramp what lies below 0.04177 Hz
    const SpectralMapping mapping(model, frequency, direction);
    const double below_of_ramp = 0.5 * std::pow(0.04177 - 0.03, 2) / 0.07;
    const double lost = mapping.lost_share(density) * mapping.variance(density) / base::two_pi;
    EXPECT_NEAR(lost, 0.01 + below_of_ramp, 1e-4);
}

}  // namespace
}  // namespace groundswell::sea
