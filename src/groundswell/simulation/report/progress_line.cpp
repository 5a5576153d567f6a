#include "groundswell/simulation/report/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "groundswell/parallel/profile.hpp"

namespace groundswell::simulation {

namespace {
constexpr double terminal_interval = 0.5, first_plain_interval = 5.0, last_plain_interval = 60.0;  // s
}

ProgressLine::ProgressLine(bool quiet)
    : quiet_(quiet),
      terminal_(::isatty(STDERR_FILENO) == 1),
      interval_(terminal_ ? terminal_interval : first_plain_interval),
      next_(parallel::now() + interval_) {}

ProgressLine::~ProgressLine() {
    finish();
}

bool ProgressLine::is_due() const {
    return !quiet_ && parallel::now() >= next_;
}

void ProgressLine::show(const std::string& text) {
    if (quiet_) return;
    if (terminal_) {
        std::fputs(fmt::format("\r{:<{}}", text, width_).c_str(), stderr);
        width_ = text.size();
    } else {
        std::fputs((text + "\n").c_str(), stderr);
        interval_ = std::min(1.5 * interval_, last_plain_interval);
    }
    std::fflush(stderr);
    next_ = parallel::now() + interval_;
}

void ProgressLine::finish() {
    if (terminal_ && width_ > 0) std::fputs("\n", stderr);
    width_ = 0;
}

std::string format_seconds(double seconds) {
    const auto whole = static_cast<long>(std::llround(std::max(0.0, seconds)));
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace groundswell::simulation
