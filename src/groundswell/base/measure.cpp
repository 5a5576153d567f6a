#include "groundswell/base/measure.hpp"

#include <fmt/format.h>

namespace groundswell::base {

std::string size_text(std::int64_t bytes) {
    if (bytes < 1024) return fmt::format("{} bytes", bytes);
    auto value = static_cast<double>(bytes) / 1024.0;
    const char* unit = "KiB";
    for (const char* larger : {"MiB", "GiB"}) {
        if (value < 1024.0) break;
        value /= 1024.0;
        unit = larger;
    }
    return value < 1000.0 ? fmt::format("{:.4g} {}", value, unit) : fmt::format("{:.1f} {}", value, unit);
}

}  // namespace groundswell::base
