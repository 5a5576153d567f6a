#include <fmt/format.h>

#include <algorithm>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/tetra/slab.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::tetra {

namespace {

// A face as one of its cells sees it. It goes to the rank in whose block of vertices its lowest corner lies.
struct FaceOfCell {
    std::array<std::int64_t, 3> corner;
    std::int64_t cell;
    std::int32_t face;
    Boundary boundary;
};

struct Found {
    std::int64_t cell;  // whom to tell
    std::int32_t face;
    Across across;
};

std::string name_of(const FaceOfCell& side) {
    return fmt::format("face {} of cell {} (vertices {}, {}, {})", side.face, side.cell, side.corner[0],
                       side.corner[1], side.corner[2]);
}

bool is_outer(Boundary boundary) {
    return is_surface(boundary) || boundary == Boundary::absorbing;
}

// Sides of one face, one after the other; what is wrong with them.
void check(std::span<const FaceOfCell> face, const std::string& path) {
    if (face.size() > 2)
        base::refuse(path, name_of(face[0]), fmt::format("in {} cells", face.size()),
                     "two cells at a face, or one");
    if (face.size() == 1) {
        base::require(!is_fault(face[0].boundary), path, name_of(face[0]),
                      fmt::format("the tag {} of a fault at an outer face", tag_of(face[0].boundary)),
                      "a cell on each side of a fault, or at an outer face the tag of a free surface (1), a "
                      "sea surface (2) or an absorbing one (5)");
        base::require(
            is_outer(face[0].boundary), path, name_of(face[0]), "no cell across and no boundary",
            "a tag that says what lies there: free surface (1), sea surface (2) or absorbing (5); or "
            "[mesh] join, if the mesh has nodes twice");
        return;
    }
    for (const FaceOfCell& side : face)
        base::require(!is_outer(side.boundary), path, name_of(side), "a boundary, with a cell across",
                      "one of the two");
    base::require(face[0].boundary == face[1].boundary, path, name_of(face[0]),
                  fmt::format("{} on one of its sides and {} on the other", tag_of(face[0].boundary),
                              tag_of(face[1].boundary)),
                  "the same tag of a fault on both sides of each of its faces");
}

}  // namespace

Slab slab_of(MPI_Comm comm, const Box& box) {
    Slab slab;
    slab.blocks = parallel::RowBlocks(box.cells(), parallel::size_of(comm), parallel::rank_of(comm));
    slab.vertices = box.vertices();
    for (std::int64_t c = slab.blocks.begin(); c < slab.blocks.end(); ++c) slab.cell.push_back(box.cell(c));
    slab.group.assign(slab.cell.size(), 0);
    return slab;
}

std::vector<std::array<Across, 4>> find_neighbours(MPI_Comm comm, parallel::SparseExchange& exchange,
                                                   const Slab& slab, const std::string& path) {
    const int ranks = parallel::size_of(comm), rank = parallel::rank_of(comm);
    const parallel::RowBlocks vertices(slab.vertices, ranks, rank);
    std::vector<FaceOfCell> sides;
    sides.reserve(4 * slab.cell.size());
    for (std::size_t c = 0; c < slab.cell.size(); ++c) {
        for (int f = 0; f < 4; ++f) {
            const auto& corners = face_corners[f];
            const Tetrahedron& cell = slab.cell[c];
            sides.push_back({{cell.vertex[corners[0]], cell.vertex[corners[1]], cell.vertex[corners[2]]},
                             slab.blocks.begin() + static_cast<std::int64_t>(c),
                             f,
                             cell.boundary[f]});
        }
    }
    sides = parallel::send_to_owners(exchange, std::move(sides),
                                     [&](const FaceOfCell& side) { return vertices.owner(side.corner[0]); });
    std::ranges::sort(sides, {},
                      [](const FaceOfCell& side) { return std::tuple(side.corner, side.cell, side.face); });

    std::vector<Found> found;
    parallel::agree(comm, [&] {
        for (std::size_t begin = 0, end = 0; begin < sides.size(); begin = end) {
            while (end < sides.size() && sides[end].corner == sides[begin].corner) ++end;
            const auto face = std::span<const FaceOfCell>(sides).subspan(begin, end - begin);
            check(face, path);
            if (face.size() != 2) continue;
            for (const int i : {0, 1}) {
                found.push_back({face[i].cell, face[i].face, {face[1 - i].cell, face[1 - i].face}});
            }
        }
    });
    std::vector<std::array<Across, 4>> neighbours(slab.cell.size());
    for (const Found& one : parallel::send_to_owners(
             exchange, std::move(found), [&](const Found& each) { return slab.blocks.owner(each.cell); }))
        neighbours[one.cell - slab.blocks.begin()][one.face] = one.across;
    return neighbours;
}

}  // namespace groundswell::tetra
