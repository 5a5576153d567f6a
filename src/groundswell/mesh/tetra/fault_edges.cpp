#include "groundswell/mesh/tetra/fault_edges.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "groundswell/graph/distributed_components.hpp"
#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::tetra {

namespace {

// An edge of a fault as a side of a face has it.
struct EdgeOfSide {
    std::array<std::int64_t, 2> edge;
    std::int64_t beyond;  // the third vertex of the face
    std::int64_t row;
    std::array<Point, 2> place;  // of the edge's ends
    Point inward;                // from the edge into the face, across it, of length 1
    double seen;
    std::int32_t tag;
    bool
        forward;  // whether the way round the face, seen from outside its cell anticlockwise, goes along the edge
};

// A face at an edge, by its two sides: the one that goes against the edge, and the one that goes along it.
using FaceAtEdge = std::span<const EdgeOfSide>;

Point direction_into(const Point& begin, const Point& end, const Point& third) {
    const Point along = end - begin, to = third - begin;
    const double share = dot(to, along) / dot(along, along);
    Point inward{};
    for (int i = 0; i < 3; ++i) inward[i] = to[i] - share * along[i];
    const double length = std::sqrt(dot(inward, inward));
    for (double& one : inward) one /= length;
    return inward;
}

std::vector<EdgeOfSide> edges_of_sides(std::span<const FaceSide> faces) {
    std::vector<EdgeOfSide> edges;
    edges.reserve(3 * faces.size());
    for (const FaceSide& face : faces) {
        const auto& place = face.place;
        const bool ascending = dot(face.outward, cross(place[1] - place[0], place[2] - place[0])) > 0.0;
        for (int third = 0; third < 3; ++third) {
            const int begin = third == 0 ? 1 : 0, end = third == 2 ? 1 : 2;
            edges.push_back({{face.vertex[begin], face.vertex[end]},
                             face.vertex[third],
                             face.row,
                             {place[begin], place[end]},
                             direction_into(place[begin], place[end], place[third]),
                             face.seen,
                             face.tag,
                             (third != 1) == ascending});
        }
    }
    return edges;
}

// Pairs of faces at an edge that continue each other: where there are two, these; where there are more, those of the same tag
// if there are two of it, then the most nearly straight ones that bend by less than a third of a turn to and fro.
std::vector<std::pair<std::size_t, std::size_t>> pairs_of(std::span<const FaceAtEdge> faces) {
    if (faces.size() == 2) return {{0, 1}};
    constexpr double bent = -0.5;  // cosine between the ways into two faces
    std::vector<std::tuple<bool, double, std::size_t, std::size_t>> candidates;
    for (std::size_t i = 0; i < faces.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const auto has_tag = [&](const FaceAtEdge& face) { return face[0].tag == faces[i][0].tag; };
            const bool of_one = has_tag(faces[j]) && std::ranges::count_if(faces, has_tag) == 2;
            const double cosine = dot(faces[i][0].inward, faces[j][0].inward);
            if (of_one || cosine < bent) candidates.emplace_back(!of_one, cosine, j, i);
        }
    }
    std::ranges::sort(candidates);
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    std::vector<bool> taken(faces.size());
    for (const auto& [other_tag, cosine, i, j] : candidates) {
        if (taken[i] || taken[j]) continue;
        taken[i] = taken[j] = true;
        pairs.emplace_back(i, j);
    }
    return pairs;
}

void meet(std::span<const EdgeOfSide> edge, Edges& all) {
    std::vector<FaceAtEdge> faces;
    for (std::size_t i = 0; i + 1 < edge.size(); i += 2) faces.push_back(edge.subspan(i, 2));
    if (faces.size() < 2) return;  // the rim
    if (faces.size() > 2)
        all.branchings.push_back({edge[0].edge, edge[0].place, static_cast<std::int64_t>(faces.size())});
    for (const auto& [i, j] : pairs_of(faces))
        all.meetings.push_back({edge[0].edge,
                                edge[0].place,
                                {{{faces[i][0].row, faces[j][1].row}, {faces[i][1].row, faces[j][0].row}}},
                                {faces[i][0].seen, faces[j][1].seen}});
}

struct Link {
    std::int64_t from, to;
    auto operator<=>(const Link&) const = default;
};

}  // namespace

std::vector<FaceSide> sides_of_faults(MPI_Comm comm, const Slab& slab) {
    std::vector<FaceSide> faces;
    for (std::size_t c = 0; c < slab.cell.size(); ++c) {
        const Tetrahedron& cell = slab.cell[c];
        if (std::ranges::none_of(cell.boundary, is_fault)) continue;
        const Geometry geometry = geometry_of(cell.place);
        for (int f = 0; f < 4; ++f) {
            if (!is_fault(cell.boundary[f])) continue;
            FaceSide face{.cell = slab.blocks.begin() + static_cast<std::int64_t>(c),
                          .face = f,
                          .tag = tag_of(cell.boundary[f]),
                          .outward = geometry.normal[f],
                          .area = geometry.area[f]};
            for (int i = 0; i < 3; ++i) {
                face.vertex[i] = cell.vertex[face_corners[f][i]];
                face.place[i] = cell.place[face_corners[f][i]];
            }
            faces.push_back(face);
        }
    }
    std::int64_t row = parallel::sum_before(comm, static_cast<std::int64_t>(faces.size()));
    for (FaceSide& face : faces) face.row = row++;
    return faces;
}

Edges edges_of(MPI_Comm comm, parallel::SparseExchange& exchange, const Slab& slab,
               std::span<const FaceSide> faces) {
    const parallel::RowBlocks vertices(slab.vertices, parallel::size_of(comm), parallel::rank_of(comm));
    auto edges = parallel::send_to_owners(exchange, edges_of_sides(faces), [&](const EdgeOfSide& edge) {
        return vertices.owner(edge.edge[0]);
    });
    std::ranges::sort(edges, {}, [](const EdgeOfSide& edge) {
        return std::tuple(edge.edge, edge.beyond, edge.forward, edge.row);
    });
    Edges all;
    for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
        while (end < edges.size() && edges[end].edge == edges[begin].edge) ++end;
        meet(std::span<const EdgeOfSide>(edges).subspan(begin, end - begin), all);
    }
    return all;
}

std::vector<std::int64_t> connected_sides(MPI_Comm comm, parallel::SparseExchange& exchange,
                                          const parallel::RowBlocks& rows,
                                          std::span<const Meeting> meetings) {
    std::vector<Link> links;
    for (const Meeting& meeting : meetings) {
        for (const auto& [one, other] : meeting.side) {
            links.push_back({one, other});
            links.push_back({other, one});
        }
    }
    links = parallel::send_to_owners(exchange, std::move(links),
                                     [&](const Link& link) { return rows.owner(link.from); });
    std::ranges::sort(links);
    std::vector<std::int64_t> offset{0};
    std::vector<std::int32_t> neighbour;
    auto link = links.begin();
    for (std::int64_t row = rows.begin(); row < rows.end(); ++row) {
        for (; link != links.end() && link->from == row; ++link)
            neighbour.push_back(static_cast<std::int32_t>(link->to));
        offset.push_back(static_cast<std::int64_t>(neighbour.size()));
    }
    return graph::components_of(comm, exchange, rows, offset, neighbour);
}

}  // namespace groundswell::tetra
