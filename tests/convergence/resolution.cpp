// How fine a mesh must be for its waves: the table in quake/mesh/resolution.cpp, measured anew.
#include "groundswell/quake/mesh/resolution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "support/quake/exact_field.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::quake;
using namespace groundswell::quake::test;

const Material rock{1.0, 1.0, 1.0};

struct Measured {
    double edges, error;  // longest edges in a wavelength, on average; rms of velocity over that of the wave
};

// A P wave with whole numbers of periods along the axes of a periodic box of edge 1, once it has run ten wavelengths.
Measured measure(int order, std::int64_t cubes, const std::array<int, 3>& periods) {
    FieldOfBox wanted;
    wanted.box.cubes = {cubes, cubes, cubes};
    wanted.box.periodic = {true, true, true};
    wanted.box.jitter = 0.15;
    wanted.material = [](const tetra::Point&) { return rock; };
    wanted.order = order;
    wanted.rate = 1;
    wanted.limit.courant = 0.4;
    std::array<double, 3> k{};
    for (int j = 0; j < 3; ++j) k[j] = 2.0 * std::numbers::pi * periods[j];
    const double number = std::hypot(k[0], k[1], k[2]), length = 2.0 * std::numbers::pi / number;
    wanted.seconds = 10.0 * length / rock.vp();
    const auto wave = [&](const tetra::Point& x, double t) {
        constexpr int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
        const double v = std::cos(number * rock.vp() * t - k[0] * x[0] - k[1] * x[1] - k[2] * x[2]);
        State q{};
        for (int i = 0; i < 6; ++i) {
            const auto [a, b] = pair[i];
            const double strain = k[a] * k[b] / (number * number);
            q[i] = -v / rock.vp() * (2.0 * rock.mu * strain + (a == b ? rock.lambda : 0.0));
        }
        for (int i = 0; i < 3; ++i) q[6 + i] = v * k[i] / number;
        return q;
    };
    auto made = make_field<double>(MPI_COMM_SELF, wanted);
    const ExactField exact(order);
    exact.set(made, [&](const tetra::Point& x) { return wave(x, 0.0); });
    while (made.field->time() < wanted.seconds * (1.0 - 1e-9)) made.field->advance();
    const State squares =
        exact.squared_error(made, [&](const tetra::Point& x) { return wave(x, made.field->time()); });
    double edges = 0.0;  // the longest of every cell, together
    for (std::int32_t cell = 0; cell < made.mesh.owned; ++cell)
        edges += std::ranges::max(tetra::edges_of(made.mesh.cell[cell].place));
    return {length * made.mesh.owned / edges, std::sqrt((squares[6] + squares[7] + squares[8]) / 0.5)};
}

// From a mesh that is too coarse and one that is fine enough, or nearly so: errors fall as a power of the edges.
void expect_as_measured(int order, const std::array<Measured, 2>& two) {
    const double power = std::log(two[0].error / two[1].error) / std::log(two[1].edges / two[0].edges);
    const double needed = two[1].edges * std::pow(two[1].error / 0.05, 1.0 / power);
    std::printf("order %d: %.3f and %.3f edges a wavelength: errors %.3g and %.3g; 0.05 at %.3f\n", order,
                two[0].edges, two[1].edges, two[0].error, two[1].error, needed);
    EXPECT_NEAR(edges_per_wavelength(order) / needed, 1.0, 0.1) << order;
}

TEST(Resolution, IsAsMeasured) {
    expect_as_measured(4, {measure(4, 4, {2, 1, 1}), measure(4, 6, {2, 1, 1})});
    expect_as_measured(5, {measure(5, 4, {3, 2, 1}), measure(5, 4, {2, 1, 1})});
}

TEST(ResolutionLong, IsAsMeasuredAtOtherOrders) {
    expect_as_measured(2, {measure(2, 12, {1, 1, 1}), measure(2, 18, {1, 1, 1})});
    expect_as_measured(3, {measure(3, 6, {1, 1, 1}), measure(3, 8, {1, 1, 1})});
    expect_as_measured(6, {measure(6, 4, {4, 2, 1}), measure(6, 4, {3, 2, 1})});
    expect_as_measured(7, {measure(7, 4, {4, 2, 1}), measure(7, 4, {3, 2, 1})});
}

}  // namespace
