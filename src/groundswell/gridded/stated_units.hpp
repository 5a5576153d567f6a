#pragma once

#include <string>

namespace groundswell::gridded {

/// Units that a file leaves out; empty: not stated here either.
struct StatedUnits {
    std::string speed;  ///< "m/s" or "knots"
    std::string time;   ///< "hours since 1900-01-01", as CF has it
};

}  // namespace groundswell::gridded
