#pragma once

#include <cstdint>

namespace groundswell::quake {

/// A side of one who steps more often than the element across, which reads the total of so many steps.
struct SideSum {
    std::int32_t side, total;
};

}  // namespace groundswell::quake
