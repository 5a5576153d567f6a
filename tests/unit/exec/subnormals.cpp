#include <gtest/gtest.h>

#include <cfenv>
#include <limits>
#include <thread>

#include "groundswell/exec/launch.hpp"

namespace groundswell {
namespace {

#if defined(__SSE2__)

float half_of(float value) {
    const volatile float half = 0.5f, given = value;
    return half * given;
}

TEST(ExecSubnormals, AreZeroInThisThreadAndThoseThatItStarts) {
    std::fenv_t before;
    std::fegetenv(&before);
    EXPECT_GT(half_of(std::numeric_limits<float>::min()), 0.0f);
    exec::flush_subnormals();
    const bool here = half_of(std::numeric_limits<float>::min()) == 0.0f;
    bool there = false;
    std::thread([&] { there = half_of(std::numeric_limits<float>::min()) == 0.0f; }).join();
    std::fesetenv(&before);
    EXPECT_TRUE(here);
    EXPECT_TRUE(there);
}

#endif

}  // namespace
}  // namespace groundswell
