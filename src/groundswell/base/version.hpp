#pragma once

#include <string>

namespace groundswell::base {

/// The program's version, as `groundswell --version` prints it.
std::string version();

}  // namespace groundswell::base
