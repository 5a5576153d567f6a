#pragma once

#include <string>

namespace groundswell::tetra {

/// Whether a file holds a mesh of tetrahedra, in one of the formats of formats/. False also for what cannot be read. Not
/// collective.
bool is_tetrahedra(const std::string& path);

}  // namespace groundswell::tetra
