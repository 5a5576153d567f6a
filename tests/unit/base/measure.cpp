#include <gtest/gtest.h>

#include "groundswell/base/measure.hpp"

namespace {

using groundswell::base::parse_measure;
using groundswell::base::parse_number;
using groundswell::base::size_text;

TEST(Measure, IsANumberWithAUnit) {
    const auto parse = [](std::string_view text) {
        return parse_measure(text, {{"kB", 1e3}, {"MiB", 1048576.0}});
    };
    EXPECT_EQ(parse("64 MiB"), 64 * 1048576.0);
    EXPECT_EQ(parse("0.5kB"), 500.0);
    EXPECT_EQ(parse("-2 kB"), -2000.0);
    for (const char* none : {"", "kB", "64", "64 mib", "64 MiB ", "64 MiBs", "6 4 kB", " 1 kB"})
        EXPECT_FALSE(parse(none).has_value()) << none;
}

TEST(Number, IsAllOfAText) {
    EXPECT_EQ(parse_number<int>("-12"), -12);
    EXPECT_EQ(parse_number<double>("2.5e3"), 2500.0);
    for (const char* none : {"", " 12", "12 ", "12x", "1.5", "+3", "99999999999"})
        EXPECT_FALSE(parse_number<int>(none).has_value()) << none;
    EXPECT_FALSE(parse_number<unsigned>("-1").has_value());
}

TEST(Measure, ASizeIsToldInTheLargestUnitThatItFills) {
    EXPECT_EQ(size_text(1023), "1023 bytes");
    EXPECT_EQ(size_text(4096), "4 KiB");
    EXPECT_EQ(size_text(67'130'000), "64.02 MiB");
    EXPECT_EQ(size_text(std::int64_t{1} << 60), "1073741824.0 GiB");
}

}  // namespace
