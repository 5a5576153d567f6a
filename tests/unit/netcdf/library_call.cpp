#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "groundswell/base/errors.hpp"
#include "groundswell/netcdf/library_call.hpp"

// A library that never comes back from a damaged file, or faults on it, ends in a refusal that names the
// file.
namespace {

using namespace groundswell;

/// In a process of its own: a call that was left costs it the library. Ends with what was refused.
[[noreturn]] void end_with_refusal(int (*call)()) {
    int code = 1;
    try {
        netcdf::limited_call("wind.nc", call);
    } catch (const base::Refusal& refusal) {
        std::cerr << refusal.what() << std::endl;
        code = netcdf::library_is_lost() ? 0 : 2;
    }
    std::_Exit(code);
}

int fault() {
    void* nobodys = ::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return *static_cast<volatile char*>(nobodys);
}

int never_ends() {
    // A loop that does nothing else may be taken for one that ends.
    volatile bool wanted = false;
    while (!wanted) {
    }
    return 0;
}

int calls_itself(int depth) {
    std::array<volatile char, 4096> room{};
    return depth < 0 ? 0 : calls_itself(depth + 1) + room[static_cast<std::size_t>(depth % 4096)];
}

TEST(BaseLibraryCall, GivesWhatTheCallGives) {
    EXPECT_EQ(netcdf::limited_call("wind.nc", [] { return -7; }), -7);
    EXPECT_FALSE(netcdf::library_is_lost());
}

TEST(BaseLibraryCallDeathTest, AFaultIsARefusal) {
    EXPECT_EXIT(end_with_refusal(fault), testing::ExitedWithCode(0),
                "wind.nc: expected a whole file; this one is damaged: the library that reads it fails on it");
}

TEST(BaseLibraryCallDeathTest, AStackThatIsUsedUpIsARefusal) {
    EXPECT_EXIT(end_with_refusal([] { return calls_itself(1); }), testing::ExitedWithCode(0), "fails on it");
}

TEST(BaseLibraryCallDeathTest, ACallWithoutEndIsARefusalInAnyThread) {
    EXPECT_EXIT(
        std::thread(end_with_refusal, never_ends).join(), testing::ExitedWithCode(0),
        "wind.nc: expected a whole file; this one is damaged: the library that reads it has been at work "
        "for 5 s");
}

TEST(BaseLibraryCallDeathTest, ASecondFileIsNotTriedAfterwards) {
    const auto twice = [] {
        try {
            netcdf::limited_call("wind.nc", fault);
        } catch (const base::Refusal&) {
        }
        end_with_refusal([] { return 0; });
    };
    EXPECT_EXIT(twice(), testing::ExitedWithCode(0), "wind.nc: expected to be read by itself");
}

TEST(BaseLibraryCallDeathTest, AFaultElsewhereIsNotCaught) {
    EXPECT_EQ(netcdf::limited_call("wind.nc", [] { return 0; }), 0);
    EXPECT_DEATH(fault(), "");
}

}  // namespace
