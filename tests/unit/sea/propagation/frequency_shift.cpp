#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "groundswell/sea/propagation/frequency_shift.hpp"
#include "support/sea_propagation_case.hpp"

namespace groundswell::sea {
namespace {

double sum(const SpectralGrid& grid, const std::vector<Real>& n) {
    double total = 0.0;
    for (int f = 0; f < grid.frequencies; ++f)
        for (int d = 0; d < grid.directions; ++d) total += n[grid.index(f, d)] * grid.frequency_width[f];
    return total;
}

// c = ±a f: the spectrum is stretched, N(f, t) = e^{∓at} N0(f e^{∓at}). L1 error after it moved by a fifth of
// its frequency.
double stretching_error(int frequencies, double a) {
    const double last = 0.8, first = 0.05;
    const SpectralGrid grid(frequencies, 4, first, std::pow(last / first, 1.0 / (frequencies - 1)));
    const FrequencyShift shift(grid);
    const auto shape = [](double f) { return std::exp(-0.5 * std::pow((f - 0.2) / 0.04, 2)); };
    std::vector<Real> n(grid.bins()), next(n), rate(n);
    for (int f = 0; f < grid.frequencies; ++f)
        for (int d = 0; d < 4; ++d) {
            n[grid.index(f, d)] = static_cast<Real>(shape(grid.frequency[f]));
            rate[grid.index(f, d)] = static_cast<Real>(a * grid.frequency[f]);
        }
    const double duration = 0.2 / std::abs(a);
    const int steps = static_cast<int>(std::ceil(duration / (0.8 * shift.longest_step(rate.data()))));
    for (int i = 0; i < steps; ++i) {
        shift.apply(next.data(), n.data(), rate.data(), duration / steps);
        std::swap(n, next);
    }
    double error = 0.0;
    const double stretch = std::exp(-a * duration);
    for (int f = 0; f < grid.frequencies; ++f)
        error += std::abs(n[grid.index(f, 2)] - stretch * shape(grid.frequency[f] * stretch)) *
                 grid.frequency_width[f];
    return error;
}

TEST(FrequencyShift, ConvergesToTheStretchedSpectrumInSecondOrder) {
    for (const double a : {1e-3, -1e-3}) {
        const double coarse = stretching_error(100, a), fine = stretching_error(200, a);
        EXPECT_GT(std::log2(coarse / fine), 1.7) << "errors " << coarse << " " << fine;
        EXPECT_LT(fine, 2e-3 * 0.1);
    }
}

TEST(FrequencyShift, KeepsTheSumAndTheSign) {
    const SpectralGrid grid(35, 24, 0.04, 1.1);
    const FrequencyShift shift(grid);
    std::vector<Real> n(grid.bins()), next(n), rate(n);
    for (int f = 0; f < grid.frequencies; ++f)
        for (int d = 0; d < grid.directions; ++d) {
            const int i = grid.index(f, d);
            // Empty near the ends, spikes inside; rates of both signs that change from bin to bin.
            n[i] = f > 8 && f < 26 && test::noise(i) > 0.7 ? Real(1) : Real(0);
            rate[i] = static_cast<Real>(1e-3 * (test::noise(i + 5000) - 0.5));
        }
    const double before = sum(grid, n), dt = 0.999 * shift.longest_step(rate.data());
    for (int step = 0; step < 5; ++step) {
        shift.apply(next.data(), n.data(), rate.data(), dt);
        std::swap(n, next);
        for (const Real value : n) ASSERT_GE(value, Real(0));
    }
    EXPECT_NEAR(sum(grid, n) / before, 1.0, 20 * test::rounding);
}

TEST(FrequencyShift, WhatPassesTheEndsIsGoneAndNothingEnters) {
    const SpectralGrid grid(20, 4, 0.05, 1.1);
    const FrequencyShift shift(grid);
    std::vector<Real> n(grid.bins(), Real(1)), next(n), rate(n);
    for (const Real speed : {Real(1e-4), Real(-1e-4)}) {
        std::fill(n.begin(), n.end(), Real(1));
        std::fill(rate.begin(), rate.end(), speed);
        const double before = sum(grid, n), dt = shift.longest_step(rate.data());
        shift.apply(next.data(), n.data(), rate.data(), dt);
        // Uniform N, uniform c: exactly c dt leaves at one end, in each of 4 directions.
        EXPECT_NEAR(before - sum(grid, next), 4 * 1e-4 * dt, 1e-6 * before);
    }
}

}  // namespace
}  // namespace groundswell::sea
