// Parts of a start-up are exclusive and add up; what the heap gains while something is made is that thing's.
#include "groundswell/parallel/profile/start_up.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

#include "groundswell/parallel/profile.hpp"

namespace groundswell::parallel {
namespace {

void sleep(int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

double part(const auto& seconds, StartUpPart which) {
    return seconds[static_cast<std::size_t>(which)];
}

TEST(StartUp, TheInnermostPartHasTheTimeAndAllAddUp) {
    const double begin = now();
    begin_start_up();
    {
        const StartUpTimer reading(StartUpPart::reading);
        sleep(20);
        {
            const StartUpTimer partition(StartUpPart::partition);
            sleep(60);
        }
        sleep(20);
    }
    sleep(30);
    const auto seconds = end_start_up();
    const double all = now() - begin;
    EXPECT_GE(part(seconds, StartUpPart::reading), 0.04);
    EXPECT_GE(part(seconds, StartUpPart::partition), 0.06);
    EXPECT_GE(part(seconds, StartUpPart::other), 0.03);
    EXPECT_EQ(part(seconds, StartUpPart::plan), 0.0);
    EXPECT_NEAR(std::accumulate(seconds.begin(), seconds.end(), 0.0), all, 0.01 * all);
}

TEST(StartUp, NothingIsCountedOutside) {
    begin_start_up();
    end_start_up();
    {
        const StartUpTimer late(StartUpPart::plan);
        sleep(5);
    }
    begin_start_up();
    EXPECT_EQ(part(end_start_up(), StartUpPart::plan), 0.0);
}

TEST(HeldMemory, APartHoldsWhatTheHeapGainedAndNotWhatCameAndWent) {
    if (heap_bytes() == 0) GTEST_SKIP() << "this C library does not tell";
    constexpr std::int64_t bytes = 5'000'000;
    const auto before = held_memory();
    std::vector<char> kept;
    {
        const MemoryHolder halo(MemoryPart::halo);
        const std::vector<char> passing(3 * bytes, 'x');
        kept.assign(bytes, passing.front());
        const MemoryHolder within(MemoryPart::mesh);
    }
    const auto after = held_memory();
    const auto gained = [&](MemoryPart which) {
        return after[static_cast<std::size_t>(which)] - before[static_cast<std::size_t>(which)];
    };
    EXPECT_NEAR(static_cast<double>(gained(MemoryPart::halo)), static_cast<double>(bytes), 0.01 * bytes);
    EXPECT_EQ(gained(MemoryPart::mesh), 0);
}

}  // namespace
}  // namespace groundswell::parallel
