#include <gtest/gtest.h>

#include "groundswell/netcdf/library_call.hpp"
#include "support/altered_restart.hpp"

// A restart file with checksums that was altered is refused, or gives the very state that was stored. Every
// byte and bit: altered_restart_long.cpp.
namespace {

using groundswell::test::AlteredRestart;

TEST(SeaAlteredRestart, NeverGivesAnotherState) {
    AlteredRestart restart;
    ASSERT_EQ(restart.with(0, 0), AlteredRestart::Answer::same);
    int refused = 0;
    for (std::size_t byte = 0; byte < restart.size(); byte += 7) {
        const AlteredRestart::Answer answer = restart.with(byte, static_cast<unsigned char>(1 << byte % 8));
        ASSERT_NE(answer, AlteredRestart::Answer::another) << "byte " << byte;
        refused += answer == AlteredRestart::Answer::refused;
    }
    EXPECT_GT(refused, static_cast<int>(restart.size()) / 7 / 2);
    EXPECT_FALSE(groundswell::netcdf::library_is_lost());  // a header is judged before a library sees it
}

}  // namespace
