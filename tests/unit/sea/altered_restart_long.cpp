#include <gtest/gtest.h>

#include <initializer_list>

#include "groundswell/netcdf/library_call.hpp"
#include "support/altered_restart.hpp"

// Every byte of a restart file with checksums, in four ways: refused, or the very state that was stored.
namespace {

using groundswell::test::AlteredRestart;

TEST(AlteredRestartLong, NoByteChangesTheStateSilently) {
    AlteredRestart restart;
    for (std::size_t byte = 0; byte < restart.size(); ++byte)
        for (const unsigned char mask : {0x01, 0x08, 0x80, 0xff})
            ASSERT_NE(restart.with(byte, mask), AlteredRestart::Answer::another)
                << "byte " << byte << ", bits " << int{mask};
    EXPECT_FALSE(groundswell::netcdf::library_is_lost());
}

}  // namespace
