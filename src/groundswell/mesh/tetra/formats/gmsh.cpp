#include "groundswell/mesh/tetra/formats/mesh_format.hpp"

namespace groundswell::tetra::formats {

MeshFormat gmsh() {
    return {"Gmsh's MSH 4.1 or 2.2",
            [](std::string_view beginning) { return beginning.starts_with("$MeshFormat"); },
            [](const std::string&) { return true; }, &read_gmsh};
}

}  // namespace groundswell::tetra::formats
