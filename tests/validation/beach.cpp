#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "groundswell/sea/spectrum/dispersion.hpp"
#include "support/sea_propagation_case.hpp"

// Swell of 10 s that meets a plane beach at 30°: along the shore k_x = k cos θ is kept (Snell: sin of the
// angle from the shore's normal over phase speed), and M = cg N/k along each ray, so that for a narrow beam
//     H/H0 = √(cg0/cg) √(cos α0/cos α),   α from the normal.
namespace groundswell::sea {
namespace {

using namespace test;
using base::earth_radius;

constexpr double sea_depth = 20.0, beach_length = 4000.0, spacing = 80.0, least_depth = 2.5;

// Shore to the north; 20 m deep up to y = −2 km, from there shoaling to nothing over 4 km.
double beach_depth(double, double lat) {
    const double y = earth_radius * lat + 0.5 * beach_length;
    return std::clamp(sea_depth * (1.0 - y / beach_length), least_depth, sea_depth);
}

double beam(double direction) {
    return std::exp(-0.5 * std::pow(std::remainder(direction - base::pi / 3.0, base::two_pi) / 0.12, 2));
}

struct Beam {
    double variance;   // ∫ σN dθ
    double direction;  // mean
};

// Spectrum that each ray of the deep beam makes at depth d: N(θ) = (k/cg) (cg0/k0) N0(θ0), k cos θ = k0 cos
// θ0.
Beam exact(double sigma, double depth) {
    const double k0 = wave_number(sigma, sea_depth), k = wave_number(sigma, depth);
    const double ratio = group_speed(sigma, k0, sea_depth) / k0 * k / group_speed(sigma, k, depth);
    double sum = 0.0, x = 0.0, y = 0.0;
    const int pieces = 2000;
    for (int i = 0; i < pieces; ++i) {
        const double theta = (i + 0.5) * base::pi / pieces, along = k * std::cos(theta) / k0;
        if (std::abs(along) >= 1.0) continue;
        const double n = ratio * beam(std::acos(along)) * base::pi / pieces;
        sum += n;
        x += n * std::cos(theta);
        y += n * std::sin(theta);
    }
    return {sum, std::atan2(y, x)};
}

TEST(PropagationBeach, WavesShoalAndRefractAsSnellSays) {
    const int columns = 90, rows = 76;
    // Frequency 1 is 0.1 Hz.
    Case sea(patch(columns, rows, spacing, beach_depth), SpectralGrid(3, 72, 0.1 / 1.1, 1.1),
             with_scheme(PropagationScheme::second_order));
    const double sigma = sea.grid.sigma[1];
    // The beam is held in deep water in the south and, as exact solution, along the side where it enters.
    std::vector<std::pair<int, std::vector<Real>>> held;
    const double width = columns * spacing;
    for (int cell = 0; cell < sea.mesh.owned; ++cell) {
        const double x = earth_radius * sea.mesh.lon[cell], y = earth_radius * sea.mesh.lat[cell];
        if (y > -0.5 * beach_length - 2 * spacing && x > -0.5 * width + 3 * spacing) continue;
        std::vector<Real> spectrum(sea.grid.directions);
        const double k0 = wave_number(sigma, sea_depth), k = wave_number(sigma, sea.mesh.depth[cell]);
        const double ratio =
            group_speed(sigma, k0, sea_depth) / k0 * k / group_speed(sigma, k, sea.mesh.depth[cell]);
        for (int d = 0; d < sea.grid.directions; ++d) {
            const double along = k * sea.grid.cosine[d] / k0;
            if (std::abs(along) < 1.0 && sea.grid.sine[d] > 0.0)
                spectrum[d] = static_cast<Real>(ratio * beam(std::acos(along)));
        }
        held.emplace_back(cell, spectrum);
    }
    const double dt = 0.9 * sea.propagator.longest_step().seconds;
    const int steps = static_cast<int>(1500.0 / dt);
    for (int i = 0; i < steps; ++i) {
        for (const auto& [cell, spectrum] : held)
            std::copy(spectrum.begin(), spectrum.end(), &sea.at(cell, 1, 0));
        sea.step(dt);
    }
    const double start = exact(sigma, sea_depth).variance;
    double shallowest = sea_depth;
    for (int cell = 0; cell < sea.mesh.owned; ++cell) {
        const double x = earth_radius * sea.mesh.lon[cell], depth = sea.mesh.depth[cell];
        // Away from the sides, and from the flat stretch before the rim.
        if (std::abs(x) > 0.25 * width || depth < 1.2 * least_depth || depth > 0.99 * sea_depth) continue;
        shallowest = std::min(shallowest, depth);
        double sum = 0.0, e = 0.0, n = 0.0;
        for (int d = 0; d < sea.grid.directions; ++d) {
            const double value = sea.at(cell, 1, d) * sea.grid.direction_width;
            sum += value;
            e += value * sea.grid.cosine[d];
            n += value * sea.grid.sine[d];
        }
        const Beam truth = exact(sigma, depth);
        EXPECT_NEAR(std::sqrt(sum / start) / std::sqrt(truth.variance / start), 1.0, 0.01)
            << "depth " << depth;
        EXPECT_NEAR(std::atan2(n, e), truth.direction, 0.5 * base::degree) << "depth " << depth;
    }
    EXPECT_LT(shallowest, 3.5);
}

// The expectation itself against the textbook's formula for a narrow beam.
TEST(PropagationBeach, TheExpectationIsTheTextbookFormula) {
    const double sigma = base::two_pi * 0.1, depth = 5.0;
    const double k0 = wave_number(sigma, sea_depth), k = wave_number(sigma, depth);
    const double angle0 = base::pi / 6.0, angle = std::asin(std::sin(angle0) * k0 / k);
    const double height = std::sqrt(group_speed(sigma, k0, sea_depth) / group_speed(sigma, k, depth)) *
                          std::sqrt(std::cos(angle0) / std::cos(angle));
    EXPECT_NEAR(std::sqrt(exact(sigma, depth).variance / exact(sigma, sea_depth).variance) / height, 1.0,
                0.01);
    EXPECT_NEAR(exact(sigma, depth).direction, base::pi / 2.0 - angle, 0.3 * base::degree);
}

}  // namespace
}  // namespace groundswell::sea
