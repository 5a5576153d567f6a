#pragma once

#include <string>
#include <string_view>

#include "groundswell/mesh/voronoi/mesh_file.hpp"

/// Formats of files with meshes of the sphere besides MPAS's, each in a file of this folder: NAME.cpp defines a function
/// `MeshFormat NAME()` in this namespace, and the build lists all of them. A file in none of them is taken for one of MPAS.
namespace groundswell::voronoi::formats {

struct MeshFormat {
    /// Whether a file that begins with these bytes, 16 of them where it has as many, is of this format.
    bool (*begins)(std::string_view beginning);
    /// Reads the whole mesh. Called on one rank, which then deals it out. Throws base::Refusal, with file, line or variable, value
    /// and what was expected, if the file is not such a mesh.
    GlobalMesh (*read)(const std::string& path, const ReadOptions& options);
};

}  // namespace groundswell::voronoi::formats
