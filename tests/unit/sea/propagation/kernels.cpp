#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "groundswell/exec/launch.hpp"
#include "support/sea_propagation_case.hpp"

// The fast kernels against the plain one, and against themselves: same bits whatever the range and the
// threads.
namespace groundswell::sea {
namespace {

using namespace test;

struct Setting {
    std::string name;
    PropagationScheme scheme;
    int directions;
    bool limiter = true, turning = true;
    CoastBoundary coast = CoastBoundary::absorbing;
    bool obstructed = false;
    double swell_age = 0.0;
};

class PropagationKernels : public testing::TestWithParam<Setting> {
protected:
    // Rotated cells at both poles, a coast, cells that turn implicitly, pentagons.
    Case rough_sea() const {
        PropagationOptions options = with_scheme(GetParam().scheme);
        options.limiter = GetParam().limiter;
        options.turning = GetParam().turning;
        options.coast = GetParam().coast;
        options.swell_age = GetParam().swell_age;
        const auto depth = [](double lon, double lat) {
            return std::cos(lon) * std::cos(lat) > 0.8 ? -1.0 : rough_depth(lon, lat);
        };
        Case::Obstruct islands;
        if (GetParam().obstructed)
            islands = [](const voronoi::LocalMesh& mesh) {
                return obstruct(mesh, 24, [](std::int64_t a, std::int64_t b, int j) {
                    return noise(static_cast<int>(7 * (a + b) + 31 * j));
                });
            };
        Case sea(sphere(7, depth), SpectralGrid(6, GetParam().directions, 0.05, 1.2), options, islands);
        sea.fill(
            [](int cell, int f, int d) { return noise(cell * 113 + f * 37 + d) * (d % 7 < 3 ? 0.0 : 1.0); });
        return sea;
    }
};

TEST_P(PropagationKernels, FastEqualsPlain) {
    Case sea = rough_sea();
    const double dt = 0.9 * sea.propagator.longest_step().seconds;
    sea.propagator.propagate_cells(0, sea.mesh.owned, sea.next.data(), sea.old.data(), dt);
    std::vector<Real> plain(sea.next.size());
    sea.propagator.propagate_cells_plain(0, sea.mesh.owned, plain.data(), sea.old.data(), dt);
    double worst = 0.0, change = 0.0;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        worst = std::max(worst, std::abs(static_cast<double>(plain[i]) - sea.next[i]));
        change = std::max(change, std::abs(static_cast<double>(plain[i]) - sea.old[i]));
    }
    EXPECT_LT(worst, 40 * rounding);  // of values up to about 1
    EXPECT_GT(change, 0.1);
}

TEST_P(PropagationKernels, AnyRangesAndThreadsGiveTheSameBits) {
    Case sea = rough_sea();
    const double dt = 0.9 * sea.propagator.longest_step().seconds;
    sea.propagator.propagate_cells(0, sea.mesh.owned, sea.next.data(), sea.old.data(), dt);
    const auto expect_same = [&](const std::vector<Real>& result, const char* what) {
        for (int cell = 0; cell < sea.mesh.owned; ++cell)
            ASSERT_EQ(std::memcmp(&result[cell * sea.grid.stride()], &sea.next[cell * sea.grid.stride()],
                                  sea.grid.bins() * sizeof(Real)),
                      0)
                << "cell " << cell << ", " << what;
    };
    std::vector<Real> result(sea.next.size());
    for (int begin = 0, length = 1; begin < sea.mesh.owned; begin += length, length = length * 3 + 7)
        sea.propagator.propagate_cells(begin, std::min(begin + length, sea.mesh.owned), result.data(),
                                       sea.old.data(), dt);
    expect_same(result, "in pieces");
    exec::set_threads(3);
    for (int attempt = 0; attempt < 20; ++attempt) {
        std::fill(result.begin(), result.end(), Real(-1));
        sea.propagator.propagate_cells(0, sea.mesh.owned, result.data(), sea.old.data(), dt);
        expect_same(result, "3 threads");
    }
    exec::set_threads(1);
}

TEST_P(PropagationKernels, OnlyTheBinsOfTheRangeAreWritten) {
    Case sea = rough_sea();
    const int begin = 50, end = 120;
    std::vector<Real> result(sea.next.size(), std::numeric_limits<Real>::quiet_NaN());
    sea.propagator.propagate_cells(begin, end, result.data(), sea.old.data(), 100.0);
    for (int cell = 0; cell < sea.mesh.total; ++cell)
        for (int i = 0; i < static_cast<int>(sea.grid.stride()); ++i) {
            const bool inside = begin <= cell && cell < end && i < sea.grid.bins();
            ASSERT_EQ(!std::isnan(result[cell * sea.grid.stride() + i]), inside) << cell << " " << i;
        }
}

std::vector<Setting> settings() {
    using enum PropagationScheme;
    std::vector<Setting> all = {
        {"upwind_closed", upwind, 32, true, true, CoastBoundary::closed},
        {"upwind_closed_12", upwind, 12, true, true, CoastBoundary::closed},
        {"second_order_closed", second_order, 24, true, true, CoastBoundary::closed},
        {"second_order_closed_12", second_order, 12, true, true, CoastBoundary::closed},
        {"second_order_straight", second_order, 24, true, false},
        {"second_order_straight_7", second_order, 7, true, false},
        {"second_order_unlimited", second_order, 24, false},
        {"second_order_unlimited_5", second_order, 5, false},
        {"spreading_closed_9", second_order, 9, true, true, CoastBoundary::closed, false, 40 * 86400.0},
    };
    // Rows of less than a register, of one, of several, and of no whole number of them.
    for (const int directions : {4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 25, 36}) {
        all.push_back({"upwind_" + std::to_string(directions), upwind, directions});
        all.push_back({"second_order_" + std::to_string(directions), second_order, directions});
    }
    for (const int directions : {5, 12, 24, 36}) {
        const auto coast = CoastBoundary::absorbing;
        const std::string name = "_obstructed_" + std::to_string(directions);
        all.push_back({"upwind" + name, upwind, directions, true, true, coast, true});
        all.push_back({"second_order" + name, second_order, directions, true, true, coast, true});
        all.push_back({"spreading" + name, second_order, directions, true, true, coast, true, 86400.0});
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(settings, PropagationKernels, testing::ValuesIn(settings()),
                         [](const auto& setting) { return setting.param.name; });

}  // namespace
}  // namespace groundswell::sea
