// P and S waves that cross a periodic cube slantwise: the error in velocity and in stress falls with the size of the
// elements to the power of the order.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "support/quake/anisotropic_rock.hpp"
#include "support/quake/exact_field.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::quake;
using namespace groundswell::quake::test;

constexpr double pi = std::numbers::pi;
const Material material{1.0, 2.0, 1.0};  // P waves of speed 2, S waves of speed 1

// The same in rock of no symmetry, with waves about as fast.
const Material grained = [] {
    Square6 compliance = any_rock(1).stiffness->compliance();
    for (auto& row : compliance) {
        for (double& one : row) one *= 2.25e10;
    }
    return anisotropic(1.0, Stiffness::of_compliance(compliance));
}();

struct Wave {
    double speed;
    std::array<double, 3> d;
};

// Along (1, 1, 1).
std::vector<Wave> waves_in(const Material& rock) {
    if (!rock.is_anisotropic()) return {{rock.vp(), {1.0, 1.0, 1.0}}, {rock.vs(), {1.0, -1.0, 0.0}}};
    const double along = 1.0 / std::sqrt(3.0);
    const Eigen3 all = eigen_of(rock.stiffness->christoffel({along, along, along}));
    std::vector<Wave> waves;
    for (int w = 0; w < 3; ++w) waves.push_back({std::sqrt(all.value[w] / rock.density), all.vector[w]});
    return waves;
}

// Waves of velocity d cos(ω t - k·x) along k = (π, π, π); the stress is that of their strain. P and S, or all three kinds.
State wave_at(const Material& rock, const tetra::Point& x, double t) {
    const double phase = pi * (x[0] + x[1] + x[2]), number = pi * std::sqrt(3.0);
    constexpr int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
    State q{};
    for (const auto& [speed, d] : waves_in(rock)) {
        const double v = std::cos(number * speed * t - phase), slowness = 1.0 / (std::sqrt(3.0) * speed);
        const double along = d[0] + d[1] + d[2];
        for (int i = 0; i < 6; ++i) {
            const auto [a, b] = pair[i];
            double stress = rock.mu * (d[a] + d[b]) + (a == b ? rock.lambda * along : 0.0);
            if (rock.is_anisotropic()) {
                stress = 0.0;
                for (int j = 0; j < 6; ++j) {
                    const auto [k, l] = pair[j];
                    stress += rock.stiffness->matrix()[i][j] * (k == l ? d[k] : d[k] + d[l]);
                }
            }
            q[i] -= v * slowness * stress;
        }
        for (int i = 0; i < 3; ++i) q[6 + i] += v * d[i];
    }
    return q;
}

struct Errors {
    double stress = 0.0, velocity = 0.0;
};

// Errors in the L2 norm at time 0.1. `rate` above 1: in three clusters by force, whose pattern shows all ways in
// which they can touch.
Errors errors_of(int order, int cubes, double jitter, int rate = 1, const Material& rock = material) {
    FieldOfBox wanted;
    wanted.box.cubes = {cubes, cubes, cubes};
    wanted.box.origin = {-1.0, -1.0, -1.0};
    wanted.box.length = {2.0, 2.0, 2.0};
    wanted.box.periodic = {true, true, true};
    wanted.box.jitter = jitter;
    wanted.material = [&](const tetra::Point&) { return rock; };
    wanted.order = order;
    wanted.rate = rate;
    wanted.seconds = 0.1;
    if (rate > 1) {
        wanted.cluster = [](const tetra::Point& at) {
            return static_cast<int>(std::floor(2.0 * (2.0 + at[0] + 0.3 * at[1] - 0.2 * at[2]))) % 3;
        };
    }
    auto made = make_field<double>(MPI_COMM_SELF, wanted);
    const ExactField exact(order);
    exact.set(made, [&](const tetra::Point& x) { return wave_at(rock, x, 0.0); });
    while (made.field->time() < 0.1 * (1.0 - 1e-9)) made.field->advance();
    const State squares = exact.squared_error(
        made, [&, t = made.field->time()](const tetra::Point& x) { return wave_at(rock, x, t); });
    Errors sum;
    for (int q = 0; q < 9; ++q) (q < 6 ? sum.stress : sum.velocity) += squares[q];
    if (rate > 1) {
        EXPECT_EQ(made.clusters.cells.size(), 3u);
    }
    return {std::sqrt(sum.stress), std::sqrt(sum.velocity)};
}

void expect_as_good_in_clusters(int order, int cubes) {
    const Errors together = errors_of(order, cubes, 0.1);
    for (const int rate : {2, 3}) {
        const Errors apart = errors_of(order, cubes, 0.1, rate);
        std::printf("order %d, rate %d: %.3f and %.3f of the errors with one step\n", order, rate,
                    apart.stress / together.stress, apart.velocity / together.velocity);
        EXPECT_LT(apart.stress, 1.5 * together.stress) << order;
        EXPECT_LT(apart.velocity, 1.5 * together.velocity) << order;
    }
}

// The slopes of the errors from one mesh to that of elements half as large.
Errors slopes_of(int order, double jitter, const Material& rock = material) {
    const int cubes = order < 4 ? 8 : 6;
    const Errors coarse = errors_of(order, cubes, jitter, 1, rock);
    const Errors fine = errors_of(order, 2 * cubes, jitter, 1, rock);
    const Errors slope{std::log2(coarse.stress / fine.stress), std::log2(coarse.velocity / fine.velocity)};
    std::printf("order %d, jitter %.2f%s: stress %.2f, velocity %.2f (errors %.2g, %.2g)\n", order, jitter,
                rock.is_anisotropic() ? ", anisotropic" : "", slope.stress, slope.velocity, fine.stress,
                fine.velocity);
    return slope;
}

void expect_order(int order, double jitter) {
    const Errors slope = slopes_of(order, jitter);
    EXPECT_GT(slope.stress, order - 0.2);
    EXPECT_GT(slope.velocity, order - 0.2);
}

TEST(PlaneWave, ConvergesWithTheOrder) {
    for (int order = lowest_order; order <= 4; ++order) expect_order(order, 0.1);
}

TEST(PlaneWave, IsAsGoodInClusters) {
    for (int order = lowest_order; order <= 4; ++order) expect_as_good_in_clusters(order, 6);
}

TEST(PlaneWaveLong, ConvergesWithAllOrders) {
    for (int order = lowest_order; order <= highest_order; ++order) {
        expect_order(order, 0.0);
        if (order > 4) expect_order(order, 0.1);
    }
}

TEST(PlaneWaveLong, ConvergesInAnisotropicRockAsInIsotropic) {
    for (int order = lowest_order; order <= highest_order; ++order) {
        const Errors isotropic = slopes_of(order, 0.1), anisotropic = slopes_of(order, 0.1, grained);
        EXPECT_GT(anisotropic.stress, isotropic.stress - 0.1) << order;
        EXPECT_GT(anisotropic.velocity, isotropic.velocity - 0.1) << order;
    }
}

TEST(PlaneWaveLong, IsAsGoodInClustersOfHigherOrders) {
    for (int order = 5; order <= highest_order; ++order) expect_as_good_in_clusters(order, 6);
}

}  // namespace
