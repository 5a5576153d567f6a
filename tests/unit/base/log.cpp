// A model that uses the library hears warnings and errors unless it asks for more, and where it wants them.
#include "groundswell/base/log.hpp"

#include <gtest/gtest.h>

#include <string>

namespace groundswell::base {
namespace {

std::string all_levels_said() {
    log_info("a {}", 1);
    log_warning("b {}", 2);
    write_error("c 3");
    return testing::internal::GetCapturedStderr();
}

TEST(BaseLog, AtFirstWarningsAndErrorsOnStandardError) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(all_levels_said(), "groundswell: warning: b 2\ngroundswell: error: c 3\n");
}

TEST(BaseLog, AHandlerIsGivenLevelAndText) {
    std::string heard;
    set_message_level(MessageLevel::info);
    set_message_handler([&](MessageLevel level, std::string_view text) {
        heard += std::to_string(static_cast<int>(level)) + std::string(text) + ";";
        if (level == MessageLevel::error) log_warning("of the handler itself");
    });
    testing::internal::CaptureStderr();
    EXPECT_EQ(all_levels_said(), "");
    EXPECT_EQ(heard, "3a 1;2b 2;1c 3;2of the handler itself;");
    set_message_handler({});
    set_message_level(MessageLevel::error);
    testing::internal::CaptureStderr();
    EXPECT_EQ(all_levels_said(), "groundswell: error: c 3\n");
    set_message_level(MessageLevel::warning);
}

}  // namespace
}  // namespace groundswell::base
