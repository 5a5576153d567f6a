#pragma once

#include <fmt/format.h>

#include <functional>
#include <string_view>

/// Messages for people. Only one rank may call these for one message. A model that uses the library chooses
/// how much it hears, and where.
namespace groundswell::base {

enum class MessageLevel { error = 1, warning, info };

/// Messages of this level and graver ones are told; the library's own choice is `warning`, the program's
/// `info`.
void set_message_level(MessageLevel level);

/// Given the message without its prefix. Called on the rank that speaks, from whatever thread found
/// something to say, one call at a time; must not throw.
using MessageHandler = std::function<void(MessageLevel, std::string_view text)>;

/// Sets where messages go from now on; an empty handler is the one of the beginning, which writes lines to
/// standard error.
void set_message_handler(MessageHandler handler);

void write_info(std::string_view text);     ///< "groundswell: TEXT"
void write_warning(std::string_view text);  ///< "groundswell: warning: TEXT"
void write_error(std::string_view text);    ///< "groundswell: error: TEXT"

template <class... Arguments>
void log_info(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    write_info(fmt::format(format, std::forward<Arguments>(arguments)...));
}

template <class... Arguments>
void log_warning(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    write_warning(fmt::format(format, std::forward<Arguments>(arguments)...));
}

}  // namespace groundswell::base
