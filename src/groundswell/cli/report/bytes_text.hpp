#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <string>

namespace groundswell::cli {

/// A number of bytes to three figures, in the unit that people would choose: "812 B", "4.66 kB".
inline std::string bytes_text(double bytes) {
    const char* const units[] = {"B", "kB", "MB", "GB", "TB"};
    std::size_t unit = 0;
    for (; bytes >= 999.5 && unit + 1 < std::size(units); ++unit) bytes /= 1000.0;
    return fmt::format("{:.3g} {}", bytes, units[unit]);
}

}  // namespace groundswell::cli
