// The surface of water under gravity: waves of a known frequency, the order at which they converge, energy that never grows, and
// the tsunami of a sea floor that rises slowly.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

#include "support/quake/exact_field.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::quake;
using namespace groundswell::quake::test;

constexpr double pi = std::numbers::pi;
const Material water{1.0, 1.0, 0.0};  // of speed 1

// A box of water, periodic along x and y, whose surface is at z = 0.
FieldOfBox sea(int order, std::array<std::int64_t, 3> cubes, const tetra::Point& length, double gravity) {
    FieldOfBox wanted;
    wanted.box.cubes = cubes;
    wanted.box.origin = {0.0, 0.0, -length[2]};
    wanted.box.length = length;
    wanted.box.periodic = {true, true, false};
    wanted.box.jitter = 0.1;
    wanted.box.boundary[2] = {tetra::Boundary::free, tetra::Boundary::sea};
    wanted.material = [](const tetra::Point&) { return water; };
    wanted.order = order;
    wanted.gravity = gravity;
    return wanted;
}

using Height = std::function<double(const tetra::Point&)>;

// body(face, places and their basis and weight) for each face at the surface.
template <class Body>
void for_each_point(const MadeField<double>& made, int order, const Body& body) {
    const auto rule = triangle_rule(order + 2);
    for (std::int32_t cell = 0; cell < made.mesh.owned; ++cell) {
        const std::int32_t face = made.field->sea().face_of(cell);
        if (face < 0) continue;
        const auto& all = made.mesh.cell[cell];
        const auto f = static_cast<std::size_t>(std::ranges::find(all.boundary, tetra::Boundary::sea) -
                                                all.boundary.begin());
        const double area = tetra::geometry_of(all.place).area[f];
        for (std::size_t p = 0; p < rule.size(); ++p) {
            const auto& [a, b, c] = tetra::face_corners[f];
            tetra::Point x{};
            for (int j = 0; j < 3; ++j)
                x[j] = all.place[a][j] + rule.point[p][0] * (all.place[b][j] - all.place[a][j]) +
                       rule.point[p][1] * (all.place[c][j] - all.place[a][j]);
            body(face, x, triangle_basis(order, rule.point[p]), rule.weight[p], area);
        }
    }
}

void set_height(MadeField<double>& made, int order, const Height& height) {
    const auto mass = triangle_mass(order);
    for_each_point(made, order,
                   [&](std::int32_t face, const tetra::Point& x, const auto& psi, double w, double) {
                       for (std::size_t m = 0; m < mass.size(); ++m)
                           made.field->sea().eta(face)[m] += w * psi[m].value * height(x) / mass[m];
                   });
}

// The surface as a share of a height, in the sense of least squares; and what else there is, as a share of all.
std::array<double, 2> share_of(const MadeField<double>& made, int order, const Height& height) {
    double product = 0.0, square = 0.0, all = 0.0;
    for_each_point(made, order,
                   [&](std::int32_t face, const tetra::Point& x, const auto& psi, double w, double area) {
                       double eta = 0.0;
                       for (std::size_t m = 0; m < psi.size(); ++m)
                           eta += psi[m].value * made.field->sea().eta(face)[m];
                       product += 2.0 * area * w * eta * height(x);
                       square += 2.0 * area * w * height(x) * height(x);
                       all += 2.0 * area * w * eta * eta;
                   });
    return {product / square, std::sqrt(std::max(0.0, 1.0 - product * product / square / all))};
}

// A standing wave on water of depth H that hangs in the air, with no pressure at its bottom either: p = ρ g cos kx cos ωt
// sinh κ(z + H)/sinh κH with κ² = k² − ω²/c² and ω² = g κ coth κH.
struct StandingWave {
    static constexpr double depth = 4.0;
    double k, gravity, kappa, omega = 0.0;
    StandingWave(double k_, double gravity_) : k(k_), gravity(gravity_), kappa(k_) {
        for (int i = 0; i < 60; ++i) {
            omega = std::sqrt(gravity * kappa / std::tanh(kappa * depth));
            kappa = std::sqrt(k * k - omega * omega);
        }
    }
    double height(const tetra::Point& x, double t) const { return std::cos(k * x[0]) * std::cos(omega * t); }
    State at(const tetra::Point& x, double t) const {
        const double part = std::sinh(kappa * (x[2] + depth)) / std::sinh(kappa * depth);
        const double slope = std::cosh(kappa * (x[2] + depth)) / std::sinh(kappa * depth);
        const double p = gravity * height(x, t) * part, moved = gravity / omega * std::sin(omega * t);
        return {-p,
                -p,
                -p,
                0.0,
                0.0,
                0.0,
                k * std::sin(k * x[0]) * part * moved,
                0.0,
                -kappa * std::cos(k * x[0]) * slope * moved};
    }
};

struct Errors {
    double field = 0.0, surface = 0.0;
};

Errors errors_after(int order, int cubes, double seconds) {
    const StandingWave wave(2.0 * pi / 4.0, 0.5);
    // Of the sides of cubes only that along y may be any length: nothing depends on it.
    const double edge = 4.0 / cubes;
    FieldOfBox wanted = sea(order, {cubes, 4, cubes}, {4.0, 4.0 * edge, 4.0}, wave.gravity);
    wanted.seconds = seconds;
    auto made = make_field<double>(MPI_COMM_SELF, wanted);
    const ExactField exact(order);
    exact.set(made, [&](const tetra::Point& x) { return wave.at(x, 0.0); });
    set_height(made, order, [&](const tetra::Point& x) { return wave.height(x, 0.0); });
    while (made.field->time() < seconds * (1.0 - 1e-9)) made.field->advance();
    const State squares =
        exact.squared_error(made, [&](const tetra::Point& x) { return wave.at(x, seconds); });
    Errors errors;
    for (const double one : squares) errors.field += one;
    errors.field = std::sqrt(errors.field / (16.0 * edge));
    const auto [share, rest] =
        share_of(made, order, [&](const tetra::Point& x) { return wave.height(x, seconds); });
    errors.surface = std::hypot(share - 1.0, rest);
    return errors;
}

void expect_order(int order, int cubes) {
    const Errors coarse = errors_after(order, cubes, 1.5), fine = errors_after(order, 2 * cubes, 1.5);
    const double field = std::log2(coarse.field / fine.field),
                 surface = std::log2(coarse.surface / fine.surface);
    std::printf("order %d: field %.2f, surface %.2f (errors %.2g, %.2g)\n", order, field, surface, fine.field,
                fine.surface);
    EXPECT_GT(field, order - 0.3);
    EXPECT_GT(surface, order - 0.3);
}

TEST(SeaSurface, ConvergesWithTheOrder) {
    for (int order = 2; order <= 3; ++order) expect_order(order, 4);
}

TEST(SeaSurfaceLong, ConvergesWithAllOrders) {
    for (int order = 4; order <= highest_order; ++order) expect_order(order, 4);
}

// The phase after a period and an eighth, when the surface is neither flat nor at its highest.
TEST(SeaSurface, AWaveInABoxHasItsFrequency) {
    const StandingWave wave(2.0 * pi / 4.0, 0.5);
    const int order = 4;
    auto made = make_field<double>(MPI_COMM_SELF, sea(order, {4, 4, 4}, {4.0, 4.0, 4.0}, wave.gravity));
    const ExactField exact(order);
    exact.set(made, [&](const tetra::Point& x) { return wave.at(x, 0.0); });
    const Height shape = [&](const tetra::Point& x) { return wave.height(x, 0.0); };
    set_height(made, order, shape);
    const double period = 2.0 * pi / wave.omega;
    double before = 1.0, crossing = 0.0, at = 0.0;
    // It is flat for the second time after three quarters of a period.
    for (int crossings = 0; crossings < 2;) {
        made.field->advance();
        const double now = share_of(made, order, shape)[0];
        const double t = made.field->time();
        if (now * before <= 0.0) {
            crossing = at + (t - at) * before / (before - now);
            ++crossings;
        }
        before = now;
        at = t;
    }
    std::printf("frequency off by %.2e\n", 0.75 * period / crossing - 1.0);
    EXPECT_NEAR(crossing / (0.75 * period), 1.0, 0.005);
}

double energy_of(const MadeField<double>& made, int order) {
    double sum = 0.0;
    for (std::int32_t cell = 0; cell < made.mesh.owned; ++cell) {
        sum += test::energy_of(order, made.material[cell], made.field->volume_of(cell),
                               [&](int k, int q) { return made.field->coefficient(cell, k, q); });
        if (const std::int32_t face = made.field->sea().face_of(cell); face >= 0)
            sum += made.field->sea().energy(face);
    }
    return sum;
}

TEST(SeaSurface, EnergyNeverGrows) {
    for (const double gravity : {0.01, 1.0}) {
        for (int order = lowest_order; order <= 4; ++order) {
            FieldOfBox wanted = sea(order, {4, 4, 2}, {4.0, 4.0, 2.0}, gravity);
            wanted.cluster = [](const tetra::Point& at) { return at[0] < 1.5 ? 0 : 1; };
            auto made = make_field<double>(MPI_COMM_SELF, wanted);
            std::mt19937_64 generator(3);
            std::uniform_real_distribution<double> between(-1.0, 1.0);
            for (std::int32_t cell = 0; cell < made.mesh.owned; ++cell) {
                for (int k = 0; k < basis_size(order); ++k) {
                    const double p = between(generator);
                    for (int q = 0; q < 9; ++q)
                        made.field->coefficient(cell, k, q) = q < 3 ? p : q < 6 ? 0.0 : between(generator);
                }
                if (const std::int32_t face = made.field->sea().face_of(cell); face >= 0)
                    for (double& one : made.field->sea().eta(face)) one = between(generator);
            }
            double before = energy_of(made, order);
            for (int step = 0; step < 10; ++step) {
                made.field->advance();
                const double now = energy_of(made, order);
                EXPECT_LE(now, before) << "gravity " << gravity << ", order " << order << ", step " << step;
                before = now;
            }
        }
    }
}

// What a mesh holds exactly has nothing to lose between elements: a long wave is the test of the steps.
TEST(SeaSurface, EnergyNeverGrowsInLongRuns) {
    for (const double gravity : {0.003, 0.1}) {
        for (int order = lowest_order; order <= 4; ++order) {
            FieldOfBox wanted = sea(order, {4, 4, 2}, {4.0, 4.0, 2.0}, gravity);
            wanted.material = [](const tetra::Point& x) {
                return x[2] > -1.0 ? water : Material{2.0, 8.0, 6.0};
            };
            auto made = make_field<double>(MPI_COMM_SELF, wanted);
            set_height(made, order, [&](const tetra::Point& x) { return 1.0 + std::cos(0.5 * pi * x[0]); });
            double before = energy_of(made, order);
            for (int step = 0; step < 4000 >> order; ++step) {
                made.field->advance();
                const double now = energy_of(made, order);
                ASSERT_LE(now, before) << "gravity " << gravity << ", order " << order << ", step " << step;
                before = now;
            }
        }
    }
}

// Water that hangs in the air and rises and falls as a whole: a polynomial in space, of which jumps take nothing. Time steps may give and
// take by turns, but over whole cycles they take.
TEST(SeaSurface, WaterThatMovesAsAWholeGainsNothingOverItsCycles) {
    const double gravity = 0.01, period = 2.0 * pi / std::sqrt(gravity / 2.0);
    for (int order = lowest_order; order <= 3; ++order) {
        auto made = make_field<double>(MPI_COMM_SELF, sea(order, {4, 4, 2}, {4.0, 4.0, 2.0}, gravity));
        const ExactField exact(order);
        exact.set(made, [](const tetra::Point&) {
            State q{};
            q[8] = 1.0;
            return q;
        });
        const double first = energy_of(made, order);
        double highest = first, at_surface = 0.0, before = first;
        for (int cycle = 1; cycle <= 3; ++cycle) {
            while (made.field->time() < cycle * period) {
                made.field->advance();
                highest = std::max(highest, energy_of(made, order));
                double there = 0.0;
                for (std::int32_t cell = 0; cell < made.mesh.owned; ++cell)
                    if (const auto face = made.field->sea().face_of(cell); face >= 0)
                        there += made.field->sea().energy(face);
                at_surface = std::max(at_surface, there);
            }
            const double now = energy_of(made, order);
            EXPECT_LT(now, before) << "order " << order << ", cycle " << cycle;
            before = now;
        }
        std::printf("order %d: at most 1 + %.2e, after three cycles 1 - %.2e\n", order, highest / first - 1.0,
                    1.0 - before / first);
        EXPECT_GT(at_surface, 0.95 * first) << "it swings";
        EXPECT_LT(highest / first - 1.0, 1e-5);
        EXPECT_LT(1.0 - before / first, 1e-4) << "nor does it lose much";
    }
}

// Rock so heavy that water does not move it rises as it is told. Of water that is not compressed the surface of depth H answers to
// a rise w(t) cos kx of the floor by ∫ w(s) cos ω(t − s) ds / cosh kH, ω² = g k tanh kH (K. Kajiura 1963).
TEST(SeaSurface, ATsunamiFollowsTheSlowRiseOfTheFloor) {
    const double k = 2.0 * pi / 4.0, depth = 1.0, gravity = 0.0025,
                 omega = std::sqrt(gravity * k * std::tanh(k * depth));
    // A rise that has nothing of the frequency at which sound goes up and down, c/4H; and a time at which the wave has sunk.
    const double duration = 8.0, end = 17.0;
    const int order = 4;
    FieldOfBox wanted = sea(order, {4, 4, 2}, {4.0, 4.0, 2.0}, gravity);
    wanted.box.jitter = 0.0;
    wanted.material = [&](const tetra::Point& x) {
        return x[2] > -depth ? water : Material{1e7, 0.5e7, 0.2e7};
    };
    auto made = make_field<double>(MPI_COMM_SELF, wanted);
    const ExactField exact(order);
    const Height shape = [&](const tetra::Point& x) { return std::cos(k * x[0]); };
    const auto rate = [&](double t) {
        return t < duration ? (1.0 - std::cos(2.0 * pi * t / duration)) / duration : 0.0;
    };
    auto still = make_field<double>(MPI_COMM_SELF, wanted);
    exact.set(still, [&](const tetra::Point& x) {
        State q{};
        if (x[2] < -depth) q[8] = shape(x);
        return q;
    });
    while (made.field->time() < end) {
        const double middle = made.field->time() + 0.5 * made.field->meeting_seconds();
        for (std::int32_t cell = 0; cell < made.mesh.owned; ++cell) {
            if (made.material[cell].is_liquid()) continue;
            for (int i = 0; i < 9 * basis_size(order); ++i)
                made.field->coefficient(cell, i / 9, i % 9) =
                    rate(middle) * still.field->coefficient(cell, i / 9, i % 9);
        }
        made.field->advance();
    }
    double expected = 0.0;
    const double t = made.field->time(), piece = 1e-3;
    for (double s = 0.5 * piece; s < duration; s += piece)
        expected += piece * rate(s) * std::cos(omega * (t - s));
    expected /= std::cosh(k * depth);
    const auto [share, rest] = share_of(made, order, shape);
    std::printf("tsunami %.5f, linear theory %.5f, another shape %.1e\n", share, expected, rest);
    EXPECT_NEAR(share / expected, 1.0, 0.02);
    EXPECT_LT(rest, 0.02);
}

}  // namespace
