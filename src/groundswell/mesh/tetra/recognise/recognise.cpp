#include "groundswell/mesh/tetra/slab.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/tetra/formats/list.hpp"
#include "groundswell/parallel/agree.hpp"

namespace groundswell::tetra {

namespace {

using formats::MeshFormat;

// How a mesh in a form of VTK or XDMF becomes one of Gmsh; empty for other files.
std::string conversion_of(const std::string& path, std::ifstream& file) {
    std::string beginning(1024, '\0');
    file.clear();
    file.seekg(0);
    file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
    const bool is_xdmf = beginning.find("<Xdmf") != std::string::npos;
    if (!is_xdmf && beginning.find("<VTKFile") == std::string::npos &&
        !beginning.starts_with("# vtk DataFile"))
        return "";
    const std::size_t name = path.rfind('/') + 1, end = path.rfind('.');
    const std::string stem = end != std::string::npos && end > name ? path.substr(0, end) : path;
    return fmt::format(
        "; {}meshio convert {} {}.msh --output-format gmsh22 makes one of this file, with the numbers of its "
        "gmsh:physical as groups",
        is_xdmf ? "if the .h5 file that this XDMF names is a PUML mesh, give that; else " : "", path, stem);
}

MeshFormat format_of(const std::string& path) {
    base::require_plain_file(path);
    std::ifstream file(path, std::ios::binary);
    base::require(file.good(), path, "", "",
                  fmt::format("a mesh of tetrahedra that can be read ({})", std::strerror(errno)));
    std::string beginning(16, '\0');
    file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
    std::vector<std::string_view> known;
    for (const MeshFormat& each : formats::list()) {
        if (each.begins(beginning)) return each;
        known.push_back(each.description);
    }
    base::refuse(
        path, "", "",
        fmt::format("a mesh of tetrahedra: {}{}", fmt::join(known, " or "), conversion_of(path, file)));
}

}  // namespace

bool is_tetrahedra(const std::string& path) {
    try {
        return format_of(path).holds(path);
    } catch (const base::Refusal&) {
        return false;
    }
}

Slab read_mesh(MPI_Comm comm, parallel::SparseExchange& exchange, const std::string& path, double join) {
    const MeshFormat format = parallel::agree(comm, [&] { return format_of(path); });
    return format.read(comm, exchange, path, join);
}

}  // namespace groundswell::tetra
