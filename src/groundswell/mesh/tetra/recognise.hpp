#pragma once

#include <string>

namespace groundswell::tetra {

/// Whether a file begins as one of Gmsh's does, or is of HDF5 with the variables of a PUML mesh. False also for what cannot be
/// read. Not collective.
bool is_tetrahedra(const std::string& path);

}  // namespace groundswell::tetra
