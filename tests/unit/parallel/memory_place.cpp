#include "groundswell/parallel/machine/memory_place.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "groundswell/exec/launch.hpp"

// Memory lies where it is used: the thread that makes a cell's values computes with them, and the system gave their pages to
// its domain.
namespace groundswell::parallel {
namespace {

class MemoryPlace : public testing::Test {
protected:
    void SetUp() override { exec::set_threads(3); }
    void TearDown() override { exec::set_threads(1); }
};

// A value that remembers which thread wrote it.
struct Marked {
    int thread = exec::thread_index();
};

TEST_F(MemoryPlace, TheThreadThatTouchesACellFirstComputesWithIt) {
    constexpr std::int32_t cells = 1001;
    const auto array = exec::make_cell_array<Marked>(cells, 4);
    std::vector<char> same(cells, 0);
    exec::for_each_cell(0, cells, [&](std::int32_t cell) {
        same[static_cast<std::size_t>(cell)] =
            array[static_cast<std::size_t>(cell) * 4 + 3].thread == exec::thread_index() ? 1 : 0;
    });
    EXPECT_EQ(std::ranges::count(same, 1), cells);
}

TEST_F(MemoryPlace, PagesHaveADomainOnceTheyAreWrittenTo) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void* const memory =
        ::mmap(nullptr, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    EXPECT_EQ(domains_of_pages(memory, 4 * page), std::vector<int>(4, -1));
    static_cast<char*>(memory)[page] = 1;
    const std::vector<int> domains = domains_of_pages(memory, 4 * page);
    ASSERT_EQ(domains.size(), 4u);
    if (domains[1] < 0) GTEST_SKIP() << "the system does not tell where pages lie";
    EXPECT_EQ(domains[0], -1);
    EXPECT_EQ(domains[2], -1);
    EXPECT_EQ(domains_of_pages(static_cast<char*>(memory) + page - 1, 2).size(), 2u)
        << "both sides of an edge";
    ::munmap(memory, 4 * page);
}

TEST_F(MemoryPlace, EachThreadsPagesLieWhereItRuns) {
    const TouchedPages pages = touch_pages();
    if (pages.all == 0) GTEST_SKIP() << "the system does not tell where pages lie";
    EXPECT_EQ(pages.all, 3 * 16);
    EXPECT_LE(pages.elsewhere, pages.all / 20);
}

}  // namespace
}  // namespace groundswell::parallel
