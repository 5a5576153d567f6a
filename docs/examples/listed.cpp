#include <fmt/format.h>

#include <fstream>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/tetra/formats/mesh_format.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::tetra::formats {

namespace {

/// A text: "tetrahedra VERTICES CELLS", then a line "X Y Z" (m) for each vertex, then one for each cell with its four corners
/// (vertices from 0), its group, and for the face opposite to each corner the number of its Boundary. Every rank reads the whole
/// text and keeps its block of cells.
Slab read_listed(MPI_Comm comm, parallel::SparseExchange&, const std::string& path, double join) {
    Slab slab;
    parallel::agree(comm, [&] {
        base::require(join == 0.0, path, "mesh.join", fmt::to_string(join), "0 for a mesh in this format");
        std::ifstream file(path);
        std::string word;
        std::int64_t cells = 0;
        file >> word >> slab.vertices >> cells;
        base::require(file && slab.vertices > 0 && cells > 0, path, "line 1", "",
                      "tetrahedra VERTICES CELLS");
        slab.blocks = parallel::RowBlocks(cells, parallel::size_of(comm), parallel::rank_of(comm));
        std::vector<Point> place(static_cast<std::size_t>(slab.vertices));
        for (Point& each : place)
            for (double& x : each) file >> x;
        for (std::int64_t row = 0; row < cells; ++row) {
            Tetrahedron cell;
            std::int64_t group = 0, tag = 0;
            for (std::int64_t& vertex : cell.vertex) file >> vertex;
            file >> group;
            for (int corner = 0; corner < 4; ++corner) {
                file >> tag;
                const auto boundary = boundary_of_tag(tag);
                base::require(file && boundary.has_value(), path, fmt::format("cell {}", row),
                              fmt::to_string(tag), "four vertices, a group and four boundaries");
                cell.boundary[3 - corner] = *boundary;  // face f lies opposite to corner 3 - f
            }
            if (row < slab.blocks.begin() || row >= slab.blocks.end()) continue;
            for (int i = 0; i < 4; ++i) {
                const bool known = cell.vertex[i] >= 0 && cell.vertex[i] < slab.vertices;
                base::require(known, path, fmt::format("cell {}", row), fmt::to_string(cell.vertex[i]),
                              fmt::format("a vertex, 0 to {}", slab.vertices - 1));
                cell.place[i] = place[cell.vertex[i]];
            }
            check_shape(cell, path, row);
            sort_corners(cell);
            slab.cell.push_back(cell);
            slab.group.push_back(group);
        }
    });
    return slab;
}

}  // namespace

MeshFormat listed() {
    return {.description = "a list of tetrahedra",
            .begins = [](std::string_view beginning) { return beginning.starts_with("tetrahedra "); },
            .holds = [](const std::string&) { return true; },
            .read = &read_listed};
}

}  // namespace groundswell::tetra::formats
