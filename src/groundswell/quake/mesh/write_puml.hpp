#pragma once

#include <mpi.h>

#include <string>

#include "groundswell/mesh/tetra/box.hpp"

namespace groundswell::quake {

/// Writes a box as a mesh in the PUML form, each rank its block: what tetra::read_puml() reads, and other programs that read
/// this form of HDF5. Of a periodic box `identify` says which vertices are one. Collective.
void write_puml(MPI_Comm comm, const tetra::Box& box, const std::string& path, bool overwrite);

}  // namespace groundswell::quake
