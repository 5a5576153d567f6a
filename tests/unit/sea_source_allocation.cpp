#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>

#include "../support/one_cell.hpp"

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
    for (const char* tuning : {"ecwam", "ww3"}) {
        sea::PhysicsOptions options;
        sea::set_tuning(options, tuning);
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

}  // namespace
}  // namespace groundswell

#endif
