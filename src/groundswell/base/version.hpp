#pragma once

#include <string>

namespace groundswell::base {

/// The program's version, as `groundswell --version` prints it.
std::string version();

/// The commit of the sources, as `git describe --always --dirty` names it; empty where that is not known. Told once, by the
/// program before anything else: libraries are not compiled anew for every commit.
const std::string& source_state();
void set_source_state(std::string state);

}  // namespace groundswell::base
