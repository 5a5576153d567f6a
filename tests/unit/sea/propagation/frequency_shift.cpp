#include "groundswell/sea/propagation/flow/frequency_shift.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/sea_propagation_case.hpp"

namespace groundswell::sea {
namespace {

double sum(const SpectralGrid& grid, const std::vector<Real>& n) {
    double total = 0.0;
    for (int f = 0; f < grid.frequencies; ++f)
        for (int d = 0; d < grid.directions; ++d) total += n[grid.index(f, d)] * grid.frequency_width[f];
    return total;
}

// cσ = a σ and J = 1/σ, so that C = a: the spectrum is stretched, N(σ, t) = e^{−at} N0(σ e^{−at}). L1 error after it moved by a
// fifth of its frequency.
double stretching_error(int frequencies, double a) {
    const double last = 0.8, first = 0.05;
    const SpectralGrid grid(frequencies, 4, first, std::pow(last / first, 1.0 / (frequencies - 1)));
    const FrequencyShift shift(grid);
    FrequencyShift::Work work(grid);
    const auto shape = [](double f) { return std::exp(-0.5 * std::pow((f - 0.2) / 0.04, 2)); };
    std::vector<Real> n(grid.bins()), density(grid.frequencies);
    for (int f = 0; f < grid.frequencies; ++f) {
        density[f] = static_cast<Real>(1.0 / grid.sigma[f]);
        for (int d = 0; d < 4; ++d) n[grid.index(f, d)] = static_cast<Real>(shape(grid.frequency[f]));
    }
    const double duration = 0.2 / std::abs(a);
    const int steps = frequencies / 5;
    const std::vector<Real> even(grid.frequencies + 1, static_cast<Real>(a * duration / steps));
    for (int i = 0; i < steps; ++i) shift.apply(n.data(), density.data(), nullptr, {even.data()}, work);
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

TEST(FrequencyShift, KeepsTheSumAndTheSignInAnyStep) {
    const SpectralGrid grid(35, 24, 0.04, 1.1);
    const FrequencyShift shift(grid);
    FrequencyShift::Work work(grid);
    std::vector<Real> n(grid.bins()), even(grid.frequencies + 1), strained(even), strain(grid.directions),
        density(grid.frequencies, Real(1));
    // Empty near the ends, spikes inside; rates of both signs that change from bin to bin, up to many bins in a step.
    for (int f = 0; f < grid.frequencies; ++f)
        for (int d = 0; d < grid.directions; ++d)
            n[grid.index(f, d)] = f > 8 && f < 26 && test::noise(grid.index(f, d)) > 0.7 ? Real(1) : Real(0);
    for (int side = 9; side < 26; ++side) {
        even[side] = static_cast<Real>(0.2 * (test::noise(side + 5000) - 0.5));
        strained[side] = static_cast<Real>(0.3 * (test::noise(side + 6000) - 0.5));
    }
    for (int d = 0; d < grid.directions; ++d) strain[d] = static_cast<Real>(test::noise(d + 7000) - 0.5);
    const double before = sum(grid, n);
    for (int step = 0; step < 5; ++step) {
        shift.apply(n.data(), density.data(), nullptr, {even.data(), strained.data(), strain.data()}, work);
        for (const Real value : n) ASSERT_GE(value, -test::rounding);
    }
    EXPECT_NEAR(sum(grid, n) / before, 1.0, 1000 * test::rounding);
}

TEST(FrequencyShift, WhatPassesTheEndsIsGoneAndNothingEnters) {
    const SpectralGrid grid(20, 4, 0.05, 1.1);
    const FrequencyShift shift(grid);
    FrequencyShift::Work work(grid);
    const std::vector<Real> density(grid.frequencies, Real(1));
    for (const Real through : {Real(1e-3), Real(-1e-3)}) {
        std::vector<Real> n(grid.bins(), Real(1));
        const std::vector<Real> even(grid.frequencies + 1, through);
        const double before = sum(grid, n);
        shift.apply(n.data(), density.data(), nullptr, {even.data()}, work);
        // Uniform N, uniform rate: exactly that leaves at one end, in each of 4 directions.
        EXPECT_NEAR((before - sum(grid, n)) * base::two_pi, 4 * 1e-3, 1e-6 * before);
    }
}

}  // namespace
}  // namespace groundswell::sea
