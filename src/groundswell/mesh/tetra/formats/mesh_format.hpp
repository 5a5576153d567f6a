#pragma once

#include <string>
#include <string_view>

#include "groundswell/mesh/tetra/slab.hpp"

/// Formats of files with meshes of tetrahedra, each in a file of this folder: NAME.cpp defines a function
/// `MeshFormat NAME()` in this namespace, and the build lists all of them.
namespace groundswell::tetra::formats {

struct MeshFormat {
    std::string_view description;  ///< "Gmsh's MSH 4.1 or 2.2"
    /// Whether a file that begins with these bytes, 16 of them where it has as many, is of this format.
    bool (*begins)(std::string_view beginning);
    /// Whether such a file holds a mesh of tetrahedra, where other files begin so, too. Not collective; may throw base::Refusal.
    bool (*holds)(const std::string& path);
    /// Each rank reads its block of cells. base::Refusal on all ranks for a file that does not make a mesh. `join`: vertices no
    /// farther apart, m, are one (join.hpp). Collective.
    Slab (*read)(MPI_Comm comm, parallel::SparseExchange& exchange, const std::string& path, double join);
};

}  // namespace groundswell::tetra::formats
