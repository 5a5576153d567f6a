#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>

#include "groundswell/exec/launch.hpp"
#include "support/one_cell.hpp"
#include "support/sea_propagation_case.hpp"

// The hot path allocates nothing: every request for memory of this program passes here and is counted.

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

namespace {
std::atomic<long> requests{0};
}

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
    requests.fetch_add(1, std::memory_order_relaxed);
    return __libc_malloc(size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
    requests.fetch_add(1, std::memory_order_relaxed);
    return __libc_memalign(alignment, size);
}
}

namespace groundswell {
namespace {

TEST(SeaSourceAllocation, AStepOfACellAllocatesNothing) {
    const std::pair<const char*, const char*> choices[] = {{"st4", "ecwam"},   {"st4", "capillary"},
                                                           {"st4", "ww3"},     {"wam3", "wamdi"},
                                                           {"wam4", "bidlot"}, {"st6", "liu"}};
    for (const auto& [package, tuning] : choices) {
        sea::PhysicsOptions options;
        options.choose(package);
        options.tune(tuning);
        options.terms.push_back("triads");
        test::OneCell cell(test::usual_grid(), options, 4.0);
        sea::fill_wind_sea(cell.grid, {}, 20.0, 0.0, cell.action.data());
        cell.set_wind(20.0, 0.5);
        const long before = requests.load();
        EXPECT_GT(before, 0);  // the counter counts: the cell itself was allocated
        bool well = true;
        for (int step = 0; step < 5; ++step) well = cell.step(300.0) && well;
        EXPECT_EQ(requests.load(), before) << tuning;
        EXPECT_TRUE(well);
    }
}

class SeaPropagationAllocation : public testing::TestWithParam<int> {};

TEST_P(SeaPropagationAllocation, AStepAllocatesAsMuchForASeaAsForACell) {
    using sea::PropagationScheme;
    for (const PropagationScheme scheme : {PropagationScheme::upwind, PropagationScheme::second_order}) {
        sea::test::Case sea(sea::test::sphere(4, sea::test::rough_depth),
                            sea::SpectralGrid(4, GetParam(), 0.05, 1.2), sea::test::with_scheme(scheme));
        sea.fill([](int cell, int f, int d) { return sea::test::noise(cell * 113 + f * 37 + d); });
        const auto requested = [&](const auto& step) {
            const long before = requests.load();
            step();
            return requests.load() - before;
        };
        const auto fast = [&](std::int32_t cells) {
            sea.propagator.propagate_cells(0, cells, sea.next.data(), sea.old.data(), 100.0);
        };
        const auto plain = [&](std::int32_t cells) {
            sea.propagator.propagate_cells_plain(0, cells, sea.next.data(), sea.old.data(), 100.0);
        };
        EXPECT_GT(requested([&] { fast(1); }), 0);  // working memory, once
        fast(sea.mesh.owned);
        // clang's OpenMP asks for memory for each loop, whatever is in it.
        const long a_loop = requested([&] { exec::for_each_cell(0, sea.mesh.owned, [](std::int32_t) {}); });
        const long for_all = requested([&] { fast(sea.mesh.owned); });
        EXPECT_LE(for_all, a_loop);
        EXPECT_EQ(requested([&] { plain(sea.mesh.owned); }), requested([&] { plain(1); }));
    }
}

INSTANTIATE_TEST_SUITE_P(directions, SeaPropagationAllocation, testing::Values(4, 12, 36),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace groundswell

#endif
