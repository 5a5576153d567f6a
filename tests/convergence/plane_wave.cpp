// P and S waves that cross a periodic cube slantwise: the error in velocity and in stress falls with the size of the
// elements to the power of the order.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "groundswell/quake/basis/quadrature.hpp"
#include "support/elements_of_box.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::quake;
using namespace groundswell::quake::test;

constexpr double pi = std::numbers::pi;
constexpr Material material{1.0, 2.0, 1.0};  // P waves of speed 2, S waves of speed 1
using State = std::array<double, 9>;

// A wave of velocity d cos(ω t - k·x) along k = (π, π, π); the stress is that of its strain. Half of it P, half S.
State wave_at(const tetra::Point& x, double t) {
    const std::array<double, 3> p{1.0, 1.0, 1.0}, s{1.0, -1.0, 0.0};
    const double phase = pi * (x[0] + x[1] + x[2]), number = pi * std::sqrt(3.0);
    constexpr int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
    State q{};
    for (const bool is_p : {true, false}) {
        const double speed = is_p ? material.vp() : material.vs();
        const auto& d = is_p ? p : s;
        const double v = std::cos(number * speed * t - phase), slowness = 1.0 / (std::sqrt(3.0) * speed);
        const double along = d[0] + d[1] + d[2];
        for (int i = 0; i < 6; ++i) {
            const auto [a, b] = pair[i];
            const double strain = -0.5 * slowness * (d[a] + d[b]);
            q[i] += v * (2.0 * material.mu * strain - (a == b ? material.lambda * slowness * along : 0.0));
        }
        for (int i = 0; i < 3; ++i) q[6 + i] += v * d[i];
    }
    return q;
}

struct Errors {
    double stress = 0.0, velocity = 0.0;
};

class Crossing {
public:
    Crossing(int order, int cubes, double jitter) : order_(order), rule_(tetrahedron_rule(order + 2)) {
        tetra::BoxOptions options;
        options.cubes = {cubes, cubes, cubes};
        options.origin = {-1.0, -1.0, -1.0};
        options.length = {2.0, 2.0, 2.0};
        options.periodic = {true, true, true};
        options.jitter = jitter;
        box_ = elements_of(options, [](const tetra::Point&) { return material; });
        for (const auto& point : rule_.point) basis_.push_back(tetrahedron_basis(order, point));
    }

    // Of the L2 norms.
    Errors after(double seconds) const {
        Elements<double> elements = one_block<double>(order_, box_);
        const auto mass = tetrahedron_mass(order_);
        for_each_point(0.0, [&](std::int32_t e, std::size_t p, const State& exact) {
            for (int k = 0; k < basis_size(order_); ++k) {
                for (int q = 0; q < 9; ++q)
                    elements.coefficient(e, k, q) +=
                        rule_.weight[p] * basis_[p][k].value * exact[q] / mass[k];
            }
        });
        const auto steps = static_cast<int>(std::ceil(seconds / longest_step(box_.element, order_)));
        for (int i = 0; i < steps; ++i) {
            elements.predict(0, seconds / steps);
            elements.correct(0);
        }
        Errors sum;
        for_each_point(seconds, [&](std::int32_t e, std::size_t p, const State& exact) {
            for (int q = 0; q < 9; ++q) {
                double value = -exact[q];
                for (int k = 0; k < basis_size(order_); ++k)
                    value += basis_[p][k].value * elements.coefficient(e, k, q);
                (q < 6 ? sum.stress : sum.velocity) +=
                    6.0 * box_.element[e].geometry.volume * rule_.weight[p] * value * value;
            }
        });
        return {std::sqrt(sum.stress), std::sqrt(sum.velocity)};
    }

private:
    template <class Body>
    void for_each_point(double t, const Body& body) const {
        for (std::size_t e = 0; e < box_.cell.size(); ++e) {
            const auto& corner = box_.cell[e].place;
            for (std::size_t p = 0; p < rule_.size(); ++p) {
                tetra::Point x = corner[0];
                for (int d = 0; d < 3; ++d) {
                    for (int j = 0; j < 3; ++j) x[j] += rule_.point[p][d] * (corner[d + 1][j] - corner[0][j]);
                }
                body(static_cast<std::int32_t>(e), p, wave_at(x, t));
            }
        }
    }

    int order_;
    BoxElements box_;
    Quadrature<Point3> rule_;
    std::vector<std::vector<ValueAndGradient<3>>> basis_;
};

void expect_order(int order) {
    const int cubes = order < 4 ? 8 : 6;
    for (const double jitter : {0.0, 0.1}) {
        const Errors coarse = Crossing(order, cubes, jitter).after(0.1);
        const Errors fine = Crossing(order, 2 * cubes, jitter).after(0.1);
        const double stress = std::log2(coarse.stress / fine.stress);
        const double velocity = std::log2(coarse.velocity / fine.velocity);
        std::printf("order %d, jitter %.2f: stress %.2f, velocity %.2f (errors %.2g, %.2g)\n", order, jitter,
                    stress, velocity, fine.stress, fine.velocity);
        EXPECT_GT(stress, order - 0.2);
        EXPECT_GT(velocity, order - 0.2);
    }
}

TEST(PlaneWave, ConvergesWithTheOrder) {
    for (int order = lowest_order; order <= 4; ++order) expect_order(order);
}

TEST(PlaneWaveLong, ConvergesWithTheHigherOrders) {
    for (int order = 5; order <= highest_order; ++order) expect_order(order);
}

}  // namespace
