#include "groundswell/base/words.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace groundswell::base {
namespace {

using Parts = std::vector<std::string_view>;

TEST(Words, ATextIsTrimmedAtBothEnds) {
    EXPECT_EQ(trimmed(" \ta b\r"), "a b");
    EXPECT_EQ(trimmed("a"), "a");
    EXPECT_EQ(trimmed(" \t "), "");
    EXPECT_EQ(trimmed(""), "");
    EXPECT_EQ(trimmed("\"a \"", "\""), "a ");
}

TEST(Words, ATextIsSplitAtEveryMark) {
    EXPECT_EQ(split("a,b c,,d", ','), (Parts{"a", "b c", "", "d"}));
    EXPECT_EQ(split(",a,", ','), (Parts{"", "a", ""}));
    EXPECT_EQ(split("a", ','), Parts{"a"});
    EXPECT_EQ(split("", ','), Parts{""});
}

}  // namespace
}  // namespace groundswell::base
