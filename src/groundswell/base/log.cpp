#include "groundswell/base/log.hpp"

#include <cstdio>

namespace groundswell::base {

namespace {

Verbosity current_verbosity = Verbosity::normal;

// One write per message, so that lines of several ranks cannot mix within a line.
void write_line(std::string_view prefix, std::string_view text) {
    const std::string line = fmt::format("groundswell: {}{}\n", prefix, text);
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
}

}  // namespace

void set_verbosity(Verbosity verbosity) {
    current_verbosity = verbosity;
}

void write_info(std::string_view text) {
    if (current_verbosity == Verbosity::normal) write_line("", text);
}

void write_warning(std::string_view text) {
    write_line("warning: ", text);
}

void write_error(std::string_view text) {
    write_line("error: ", text);
}

}  // namespace groundswell::base
