#include "groundswell/base/descriptor.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <utility>

namespace {

using groundswell::base::Descriptor;

bool is_open(int number) {
    return ::fcntl(number, F_GETFD) >= 0;
}

TEST(Descriptor, ClosesWhatItHoldsOnce) {
    int number = -1, released = -1;
    {
        Descriptor first(::open("/dev/null", O_RDONLY));
        number = first.get();
        Descriptor second(std::move(first));
        EXPECT_FALSE(first.is_open());  // NOLINT: what is left of it is what is asked for
        EXPECT_TRUE(is_open(number));
        first = std::move(second);
        EXPECT_EQ(first.get(), number);
        Descriptor other(::open("/dev/null", O_RDONLY));
        released = other.release();
    }
    EXPECT_FALSE(is_open(number));
    EXPECT_TRUE(is_open(released));
    ::close(released);
}

}  // namespace
