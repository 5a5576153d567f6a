#pragma once

#include <fmt/format.h>

#include <string_view>

/// Messages for people, on standard error. Only one rank may call these for one message.
namespace groundswell::base {

enum class Verbosity { quiet, normal };

/// Quiet drops info lines; warnings and errors are always shown. Not thread-safe: set once at the start.
void set_verbosity(Verbosity verbosity);

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
