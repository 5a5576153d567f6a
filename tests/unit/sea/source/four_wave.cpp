#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/formulas/shallow_water.hpp"
#include "support/one_cell.hpp"

// Discrete interaction approximation: dN1 = dN2 = -dN3 = -dN4, so energy, action and momentum only move.

namespace groundswell {
namespace {

using test::OneCell;
using test::only;

// A JONSWAP sea with its peak at 0.16 Hz that fades out beyond 0.6 Hz, in the middle of a grid so wide (0.03
// to 1.7 Hz) that nothing leaves it.
OneCell wide_sea(double direction, double ratio, int directions) {
    const int frequencies = 1 + static_cast<int>(std::log(1.7 / 0.03) / std::log(ratio));
    OneCell cell(sea::SpectralGrid(frequencies, directions, 0.03, ratio), only({"four_wave"}), 5000.0);
    for (int i = 0; i < cell.grid.frequencies; ++i) {
        const double f = cell.grid.frequency[static_cast<std::size_t>(i)];
        const double density = sea::jonswap(f, 0.16, 0.0081, {}) * std::exp(-std::pow(f / 0.6, 4));
        for (int j = 0; j < cell.grid.directions; ++j) {
            const double c =
                std::max(std::cos(cell.grid.direction[static_cast<std::size_t>(j)] - direction), 0.0);
            cell.set_energy(i, j, density * c * c * 2.0 / base::pi);
        }
    }
    return cell;
}

struct Imbalance {
    double energy = 0, action = 0, momentum = 0;  // |Σ transfer| / Σ |transfer|
};

Imbalance imbalance(OneCell cell, double direction) {
    cell.evaluate("four_wave");
    double sums[3] = {0, 0, 0}, sizes[3] = {0, 0, 0};
    for (int i = 0; i < cell.grid.frequencies; ++i) {
        const auto n = static_cast<std::size_t>(i);
        // On a geometric grid Δf ∝ f in every bin, the ends too.
        const double width = cell.grid.frequency[n] * std::log(cell.grid.ratio) * cell.grid.direction_width;
        for (int j = 0; j < cell.grid.directions; ++j) {
            const double towards = std::cos(cell.grid.direction[static_cast<std::size_t>(j)] - direction);
            const double energy = cell.source(i, j) * width, action = energy / cell.grid.sigma[n];
            const double parts[3] = {energy, action, action * cell.wave_number[n] * towards};
            for (int part = 0; part < 3; ++part) {
                sums[part] += parts[part];
                sizes[part] += std::abs(parts[part]);
            }
        }
    }
    return {std::abs(sums[0]) / sizes[0], std::abs(sums[1]) / sizes[1], std::abs(sums[2]) / sizes[2]};
}

TEST(SeaSourceFourWave, MovesEnergyActionAndMomentumWithoutLoss) {
    const double direction = 0.7;
    const Imbalance coarse = imbalance(wide_sea(direction, 1.06, 72), direction);
    const Imbalance fine = imbalance(wide_sea(direction, 1.03, 144), direction);
    // Interpolation that is linear in frequency keeps energy and action to rounding on any grid.
    EXPECT_LT(coarse.energy, 1e-3);
    EXPECT_LT(coarse.action, 1e-3);
    // Momentum is bent over the cells of the interpolation: an error of second order in the grid.
    EXPECT_LT(fine.momentum, 0.01);
    EXPECT_LT(fine.momentum, 0.4 * coarse.momentum);
}

TEST(SeaSourceFourWave, FeedsBothSidesOfThePeakFromAboveIt) {
    // Hasselmann et al. (1985): + below the peak, - above it, + at high frequencies.
    OneCell cell = wide_sea(0.0, 1.06, 72);
    cell.evaluate("four_wave");
    const auto transfer = [&cell](double frequency) {
        const int i = static_cast<int>(std::lround(std::log(frequency / 0.03) / std::log(1.06)));
        double sum = 0;
        for (int j = 0; j < cell.grid.directions; ++j) sum += cell.source(i, j);
        return sum;
    };
    EXPECT_GT(transfer(0.16 * 0.93), 0.0);
    EXPECT_LT(transfer(0.16 * 1.25), 0.0);
    EXPECT_GT(transfer(0.16 * 2.5), 0.0);
}

// The definition, bin by bin with scatter, in double: Hasselmann et al. (1985), section 5.
std::vector<double> scatter(const OneCell& cell, double constant) {
    const int nf = cell.grid.frequencies, nd = cell.grid.directions;
    const double r = cell.grid.ratio, lambda = 0.25, width = 360.0 / nd;
    std::vector<double> result(static_cast<std::size_t>(nf * nd), 0.0);
    const auto spectrum = [&](int i, int j) {
        if (i < 0) return 0.0;
        const int row = std::min(i, nf - 1);
        return cell.energy(row, (j % nd + nd) % nd) * std::pow(r, -5 * (i - row));
    };
    struct Corner {
        int i, j;
        double weight;
    };
    // The four bins around frequency factor·f_i and `angle` degrees away.
    const auto corners = [&](int i, int j, double factor, double angle) {
        const double shift = std::log(factor) / std::log(r);
        const int row = i + static_cast<int>(std::floor(shift));
        const double low = std::pow(r, row - i), part = (factor - low) / (low * r - low);
        const double turn = angle / width;
        const int column = static_cast<int>(std::floor(turn));
        const double side = turn - column;
        return std::vector<Corner>{{row, j + column, (1 - part) * (1 - side)},
                                   {row, j + column + 1, (1 - part) * side},
                                   {row + 1, j + column, part * (1 - side)},
                                   {row + 1, j + column + 1, part * side}};
    };
    for (int i = 0; i < nf + 6; ++i) {
        const double f = cell.grid.first_frequency * std::pow(r, i);
        for (int j = 0; j < nd; ++j) {
            for (const double mirror : {1.0, -1.0}) {
                const auto plus = corners(i, j, 1 + lambda, -mirror * 11.4783);
                const auto minus = corners(i, j, 1 - lambda, mirror * 33.5573);
                double above = 0, below = 0;
                for (const Corner& c : plus) above += c.weight * spectrum(c.i, c.j);
                for (const Corner& c : minus) below += c.weight * spectrum(c.i, c.j);
                const double e = spectrum(i, j);
                const double moved =
                    constant * std::pow(base::gravity, -4) * std::pow(f, 11) *
                    (e * e * (above / std::pow(1 + lambda, 4) + below / std::pow(1 - lambda, 4)) -
                     2 * e * above * below / std::pow(1 - lambda * lambda, 4));
                const auto give = [&](int row, int column, double amount) {
                    if (row >= 0 && row < nf)
                        result[static_cast<std::size_t>(row * nd + (column % nd + nd) % nd)] += amount;
                };
                give(i, j, -2 * moved);
                for (const Corner& c : plus) give(c.i, c.j, c.weight * moved);
                for (const Corner& c : minus) give(c.i, c.j, c.weight * moved);
            }
        }
    }
    return result;
}

TEST(SeaSourceFourWave, GatheringByRowsEqualsTheDefinitionBinByBin) {
    for (const int directions : {36, 24, 13}) {
        const sea::PhysicsOptions options = only({"four_wave"});
        OneCell cell(sea::SpectralGrid(35, directions, 0.04177, 1.1), options, 5000.0);
        sea::fill_wind_sea(cell.grid, {}, 12.0, 2.9, cell.action.data());
        cell.evaluate("four_wave");
        const std::vector<double> expected = scatter(cell, options.value("four_wave"));
        double largest = 0;
        for (double value : expected) largest = std::max(largest, std::abs(value));
        ASSERT_GT(largest, 0.0);
        for (int i = 0; i < cell.grid.frequencies; ++i) {
            for (int j = 0; j < directions; ++j) {
                EXPECT_NEAR(cell.source(i, j), expected[static_cast<std::size_t>(i * directions + j)],
                            1e-5 * largest)
                    << directions << " directions, bin " << i << ", " << j;
            }
        }
    }
}

TEST(SeaSourceFourWave, DerivativeIsThatOfTheSource) {
    // ∂S/∂E of the bin itself, by central differences.
    const sea::PhysicsOptions options = only({"four_wave"});
    OneCell cell(test::usual_grid(), options, 5000.0);
    sea::fill_wind_sea(cell.grid, {}, 12.0, 0.0, cell.action.data());
    cell.evaluate("four_wave");
    double scale = 0;
    for (int i = 0; i < 35; ++i) scale = std::max(scale, std::abs(cell.derivative(i, 0)));
    for (const int i : {10, 15, 20, 30}) {
        for (const int j : {0, 2, 33}) {
            const double given = cell.derivative(i, j), before = cell.energy(i, j), small = 1e-3 * before;
            const std::size_t bin = static_cast<std::size_t>(cell.grid.index(i, j));
            cell.set_energy(i, j, before + small);
            const double high = scatter(cell, options.value("four_wave"))[bin];
            cell.set_energy(i, j, before - small);
            const double low = scatter(cell, options.value("four_wave"))[bin];
            cell.set_energy(i, j, before);
            EXPECT_NEAR(given, (high - low) / (2 * small), 2e-3 * scale) << "bin " << i << ", " << j;
        }
    }
}

TEST(SeaSourceFourWave, ShallowWaterStrengthensIt) {
    // R(x) = 1 + 5.5/x (1 - 5x/6) exp(-5x/4) by hand at x = ¾ k d = 0.75, and the limit of deep water.
    EXPECT_NEAR(sea::four_wave_depth_factor(0.1, 10.0), 1.0 + 5.5 / 0.75 * (1 - 0.625) * std::exp(-0.9375),
                1e-12);
    EXPECT_DOUBLE_EQ(sea::four_wave_depth_factor(0.1, 5000.0), 1.0);
    EXPECT_GT(sea::four_wave_depth_factor(0.01, 10.0), 3.0);
}

}  // namespace
}  // namespace groundswell
