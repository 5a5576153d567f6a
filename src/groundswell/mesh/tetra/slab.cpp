#include "groundswell/mesh/tetra/slab.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/plain_file.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::tetra {

Slab slab_of(MPI_Comm comm, const Box& box) {
    Slab slab;
    slab.blocks = parallel::RowBlocks(box.cells(), parallel::size_of(comm), parallel::rank_of(comm));
    slab.vertices = box.vertices();
    for (std::int64_t c = slab.blocks.begin(); c < slab.blocks.end(); ++c) slab.cell.push_back(box.cell(c));
    slab.group.assign(slab.cell.size(), 0);
    return slab;
}

namespace {

// The forms in which meshes come.
struct Form {
    std::string_view begins_with;
    Slab (*read)(MPI_Comm comm, parallel::SparseExchange& exchange, const std::string& path, double join);
};
constexpr Form forms[] = {{"\x89HDF\r\n\x1a\n", read_puml}, {"$MeshFormat", read_gmsh}};

}  // namespace

Slab read_mesh(MPI_Comm comm, parallel::SparseExchange& exchange, const std::string& path, double join) {
    const std::size_t form = parallel::agree(comm, [&] {
        base::require_plain_file(path);
        std::ifstream file(path, std::ios::binary);
        base::require(file.good(), path, "", "",
                      fmt::format("a mesh of tetrahedra that can be read ({})", std::strerror(errno)));
        std::string beginning(16, '\0');
        file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
        for (std::size_t i = 0; i < std::size(forms); ++i) {
            if (beginning.starts_with(forms[i].begins_with)) return i;
        }
        base::refuse(path, "", "", "a mesh of tetrahedra: PUML (HDF5) or Gmsh's MSH 4.1 or 2.2");
    });
    return forms[form].read(comm, exchange, path, join);
}

}  // namespace groundswell::tetra
