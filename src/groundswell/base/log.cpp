#include "groundswell/base/log.hpp"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <utility>

#include "groundswell/base/words.hpp"

namespace groundswell::base {

namespace {

std::atomic<MessageLevel> current_level = MessageLevel::warning;

struct Listener {
    std::recursive_mutex mutex;  // a handler may call what has a message of its own
    MessageHandler handler;
};

// Made at first use and never destroyed: threads may speak until the very end.
Listener& listener() {
    static auto* const one = new Listener;
    return *one;
}

void tell(MessageLevel level, std::string_view prefix, std::string_view text) {
    if (level > current_level) return;
    {
        const std::lock_guard lock(listener().mutex);
        if (listener().handler) {
            listener().handler(level, text);
            return;
        }
    }
    // One write per message, so that lines of several ranks cannot mix within a line.
    const std::string line = fmt::format("groundswell: {}{}\n", prefix, on_one_line(text));
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
}

}  // namespace

void set_message_level(MessageLevel level) {
    current_level = level;
}

void set_message_handler(MessageHandler handler) {
    const std::lock_guard lock(listener().mutex);
    listener().handler = std::move(handler);
}

void write_info(std::string_view text) {
    tell(MessageLevel::info, "", text);
}

void write_warning(std::string_view text) {
    tell(MessageLevel::warning, "warning: ", text);
}

void write_error(std::string_view text) {
    tell(MessageLevel::error, "error: ", text);
}

}  // namespace groundswell::base
