#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/base/make_unique.hpp"
#include "groundswell/mesh/tetra/gmsh/outline.hpp"
#include "groundswell/mesh/tetra/join.hpp"
#include "groundswell/mesh/tetra/slab.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::tetra {

namespace {

using gmsh::Outline;
using gmsh::Run;
using gmsh::Scanner;
using parallel::RowBlocks;

// A node. `row` counts through the file, without the gaps that tags may have.
struct Node {
    std::int64_t tag = 0, row = -1;
    Point place{};
};

// An element with the tags of its nodes.
template <int corners>
struct Element {
    std::int64_t tag = 0;
    std::array<std::int64_t, corners> node{};
    std::int64_t meaning = 0;
};

// A triangle by the rows of its nodes, ascending; and what one asks of the triangle at a face.
struct FaceTag {
    std::array<std::int64_t, 3> corner{};
    std::int64_t tag = 0;
    Boundary boundary = Boundary::none;
};
struct FaceQuestion {
    std::int64_t row;  // the lowest corner
    std::array<std::int64_t, 2> others;
};

// One rank goes through the file, all others hear what it found.
Outline shared_outline(MPI_Comm comm, const std::string& path) {
    Outline outline;
    parallel::agree(comm, [&] {
        if (parallel::rank_of(comm) == 0) outline = gmsh::read_outline(path);
    });
    std::array<std::int64_t, 12> head{outline.binary ? 1 : 0, outline.nodes,     outline.lowest_tag,
                                      outline.highest_tag,    outline.triangles, outline.tetrahedra};
    head[10] = outline.narrow ? 1 : 0;
    head[11] = outline.curved;
    const std::array<std::vector<Run>*, 4> lists{&outline.tags, &outline.places, &outline.triangle_runs,
                                                 &outline.tetrahedron_runs};
    for (std::size_t i = 0; i < lists.size(); ++i) head[6 + i] = static_cast<std::int64_t>(lists[i]->size());
    MPI_Bcast(head.data(), static_cast<int>(head.size()), MPI_INT64_T, 0, comm);
    outline.binary = head[0] != 0;
    outline.narrow = head[10] != 0;
    outline.curved = head[11];
    std::tie(outline.nodes, outline.lowest_tag, outline.highest_tag) = std::tuple(head[1], head[2], head[3]);
    std::tie(outline.triangles, outline.tetrahedra) = std::tuple(head[4], head[5]);
    for (std::size_t i = 0; i < lists.size(); ++i) {
        lists[i]->resize(static_cast<std::size_t>(head[6 + i]));
        // A few words for thousands of rows.
        MPI_Bcast(lists[i]->data(), static_cast<int>(lists[i]->size() * sizeof(Run)), MPI_BYTE, 0, comm);
    }
    return outline;
}

std::int64_t read_tag(Scanner& scanner, const Outline& outline) {
    const std::int64_t tag = scanner.index("tag of a node");
    if (tag < outline.lowest_tag || tag > outline.highest_tag)
        scanner.refuse(
            "tag of a node", std::to_string(tag),
            fmt::format("{} to {}, as the head of $Nodes says", outline.lowest_tag, outline.highest_tag));
    return tag;
}

template <int corners>
std::vector<Element<corners>> read_elements(Scanner& scanner, const Outline& outline,
                                            const std::vector<Run>& runs, const RowBlocks& blocks) {
    std::vector<Element<corners>> elements;
    gmsh::for_rows(scanner, runs, blocks.begin(), blocks.end(),
                   [&](Scanner& from, const Run& run, std::int64_t) {
                       Element<corners> element;
                       element.tag = from.index("tag of an element");
                       from.pass(run.ahead, from.index_bytes());
                       for (std::int64_t& node : element.node) node = read_tag(from, outline);
                       from.pass(run.behind, from.index_bytes());
                       element.meaning = run.meaning;
                       elements.push_back(element);
                   });
    return elements;
}

// The nodes with these tags, ascending, from the ranks that hold them.
std::vector<Node> find_nodes(MPI_Comm comm, parallel::SparseExchange& exchange, const std::string& path,
                             const Outline& outline, std::vector<Node> nodes,
                             const std::vector<std::int64_t>& wanted) {
    const RowBlocks by_tag(outline.highest_tag - outline.lowest_tag + 1, parallel::size_of(comm),
                           parallel::rank_of(comm));
    nodes = parallel::send_to_owners(exchange, std::move(nodes), [&](const Node& node) {
        return by_tag.owner(node.tag - outline.lowest_tag);
    });
    std::ranges::sort(nodes, {}, [](const Node& node) { return std::tuple(node.tag, node.row); });
    parallel::agree(comm, [&] {
        const auto twice = std::ranges::adjacent_find(nodes, {}, &Node::tag);
        base::require(twice == nodes.end(), path, "tag of a node",
                      twice == nodes.end() ? "" : fmt::format("{}, of two nodes", twice->tag),
                      "one node for each tag");
    });
    std::vector<std::int64_t> rows;  // how far tags lie behind the lowest
    rows.reserve(wanted.size());
    for (const std::int64_t tag : wanted) rows.push_back(tag - outline.lowest_tag);
    auto found = parallel::ask_owners<Node, std::int64_t>(exchange, by_tag, rows, [&](std::int64_t row) {
        const std::int64_t tag = row + outline.lowest_tag;
        const auto at = std::ranges::lower_bound(nodes, tag, {}, &Node::tag);
        return at != nodes.end() && at->tag == tag ? *at : Node{tag, -1, {}};
    });
    parallel::agree(comm, [&] {
        const auto none = std::ranges::find(found, -1, &Node::row);
        base::require(none == found.end(), path, "node of an element",
                      none == found.end() ? "" : std::to_string(none->tag), "a node of $Nodes");
    });
    return found;
}

// Nodes that lie as near each other become one, with all that they are asked for later: row and place. Collective.
void join_nodes(MPI_Comm comm, parallel::SparseExchange& exchange, const std::string& path,
                std::vector<Node>& nodes, double distance) {
    std::vector<JoinedVertex> vertices;
    for (const Node& node : nodes) vertices.push_back({node.row, node.place});
    join_vertices(comm, exchange, path, vertices, distance);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        nodes[n].row = vertices[n].number;
        nodes[n].place = vertices[n].place;
    }
}

// Gives the faces of the slab the boundaries of the triangles. Collective.
void match_triangles(MPI_Comm comm, parallel::SparseExchange& exchange, const std::string& path,
                     std::vector<FaceTag> triangles, Slab& slab) {
    const RowBlocks vertices(slab.vertices, parallel::size_of(comm), parallel::rank_of(comm));
    triangles = parallel::send_to_owners(exchange, std::move(triangles),
                                         [&](const FaceTag& face) { return vertices.owner(face.corner[0]); });
    std::ranges::sort(triangles, {}, [](const FaceTag& face) { return std::tuple(face.corner, face.tag); });
    parallel::agree(comm, [&] {
        const auto differ = std::ranges::adjacent_find(triangles, [](const FaceTag& a, const FaceTag& b) {
            return a.corner == b.corner && a.boundary != b.boundary;
        });
        base::require(differ == triangles.end(), path,
                      differ == triangles.end() ? "" : fmt::format("triangle {}", differ->tag),
                      "at the place of another of a different physical surface", "one boundary at a face");
    });

    std::vector<std::pair<FaceQuestion, std::size_t>> asked;  // and 4 cell + face
    for (std::size_t c = 0; c < slab.cell.size(); ++c) {
        for (std::size_t f = 0; f < 4; ++f) {
            const auto& at = face_corners[f];
            const auto& vertex = slab.cell[c].vertex;
            asked.push_back({{vertex[at[0]], {vertex[at[1]], vertex[at[2]]}}, 4 * c + f});
        }
    }
    std::ranges::stable_sort(asked, {}, [](const auto& one) { return one.first.row; });
    std::vector<FaceQuestion> questions;
    questions.reserve(asked.size());
    for (const auto& one : asked) questions.push_back(one.first);
    const auto first = [&](const FaceQuestion& question) {
        const std::array<std::int64_t, 3> corner{question.row, question.others[0], question.others[1]};
        // Not equal_range: what it returns is more than clang 14 can read in GCC's library.
        const auto begin = std::ranges::lower_bound(triangles, corner, {}, &FaceTag::corner);
        const auto end = std::ranges::upper_bound(triangles, corner, {}, &FaceTag::corner);
        return std::pair(begin - triangles.begin(), end - triangles.begin());
    };
    std::vector<char> seen(triangles.size(), 0);
    const auto answers = parallel::ask_owners<Boundary, FaceQuestion>(
        exchange, vertices, questions,
        [&](const FaceQuestion& question) {
            const auto [begin, end] = first(question);
            std::fill(seen.begin() + begin, seen.begin() + end, 1);
        },
        [] {},
        [&](const FaceQuestion& question) {
            const auto [begin, end] = first(question);
            return begin == end ? Boundary::none : triangles[begin].boundary;
        });
    parallel::agree(comm, [&] {
        const auto lost = std::ranges::find(seen, 0) - seen.begin();
        const bool all = lost == static_cast<std::ptrdiff_t>(seen.size());
        base::require(all, path, all ? "" : fmt::format("triangle {}", triangles[lost].tag),
                      "at no tetrahedron",
                      "triangles of a physical surface that are faces of tetrahedra (mesh all volumes)");
    });
    for (std::size_t i = 0; i < asked.size(); ++i)
        slab.cell[asked[i].second / 4].boundary[asked[i].second % 4] = answers[i];
}

}  // namespace

Slab read_gmsh(MPI_Comm comm, parallel::SparseExchange& exchange, const std::string& path, double join) {
    const int ranks = parallel::size_of(comm), rank = parallel::rank_of(comm);
    const Outline outline = shared_outline(comm, path);
    if (outline.curved > 0 && rank == 0)
        base::log_info(
            "{}: {} tetrahedra of second order are taken with straight edges; nodes between corners are "
            "left out",
            path, outline.curved);
    Slab slab;
    slab.blocks = RowBlocks(outline.tetrahedra, ranks, rank);
    slab.vertices = outline.nodes;
    std::vector<Node> nodes;
    std::vector<Element<3>> triangles;
    std::vector<Element<4>> tetrahedra;
    parallel::agree(comm, [&] {
        Scanner scanner(path);
        scanner.binary = outline.binary;
        scanner.narrow = outline.narrow;
        const RowBlocks mine(outline.nodes, ranks, rank);
        gmsh::for_rows(scanner, outline.tags, mine.begin(), mine.end(),
                       [&](Scanner& from, const Run& run, std::int64_t row) {
                           nodes.push_back({read_tag(from, outline), row, {}});
                           from.pass(run.behind, sizeof(double));
                       });
        gmsh::for_rows(scanner, outline.places, mine.begin(), mine.end(),
                       [&](Scanner& from, const Run& run, std::int64_t row) {
                           from.pass(run.ahead, from.index_bytes());
                           for (double& x : nodes[row - mine.begin()].place) x = from.real("coordinate");
                           from.pass(run.behind, sizeof(double));
                       });
        triangles = read_elements<3>(scanner, outline, outline.triangle_runs,
                                     RowBlocks(outline.triangles, ranks, rank));
        tetrahedra = read_elements<4>(scanner, outline, outline.tetrahedron_runs, slab.blocks);
        slab.bytes_read = outline.bytes_read + scanner.bytes_read();
    });

    std::vector<std::int64_t> wanted;
    for (const auto& element : triangles)
        wanted.insert(wanted.end(), element.node.begin(), element.node.end());
    for (const auto& element : tetrahedra)
        wanted.insert(wanted.end(), element.node.begin(), element.node.end());
    base::make_unique(wanted);
    std::vector<Node> found = find_nodes(comm, exchange, path, outline, std::move(nodes), wanted);
    if (join > 0.0) join_nodes(comm, exchange, path, found, join);
    const auto node_of = [&](std::int64_t tag) -> const Node& {
        return *std::ranges::lower_bound(found, tag, {}, &Node::tag);
    };

    parallel::agree(comm, [&] {
        for (const Element<4>& element : tetrahedra) {
            Tetrahedron cell;
            for (int i = 0; i < 4; ++i) {
                const Node& node = node_of(element.node[i]);
                cell.vertex[i] = node.row;
                cell.place[i] = node.place;
            }
            auto rows = cell.vertex;
            std::ranges::sort(rows);
            base::require(
                join == 0.0 || std::ranges::adjacent_find(rows) == rows.end(), path,
                fmt::format("cell {}", slab.cell.size() + static_cast<std::size_t>(slab.blocks.begin())),
                "with a vertex twice", "a mesh.join that is shorter than all edges");
            // Gmsh turns elements as its volumes are turned, which says nothing of them.
            if (is_inverted(cell)) {
                std::swap(cell.vertex[2], cell.vertex[3]);
                std::swap(cell.place[2], cell.place[3]);
            }
            check_shape(cell, path, slab.blocks.begin() + static_cast<std::int64_t>(slab.cell.size()));
            sort_corners(cell);
            slab.cell.push_back(cell);
            slab.group.push_back(element.meaning);
        }
    });
    std::vector<FaceTag> faces;
    for (const Element<3>& element : triangles) {
        FaceTag face{{}, element.tag, static_cast<Boundary>(element.meaning)};
        for (int i = 0; i < 3; ++i) face.corner[i] = node_of(element.node[i]).row;
        std::ranges::sort(face.corner);
        faces.push_back(face);
    }
    match_triangles(comm, exchange, path, std::move(faces), slab);
    return slab;
}

}  // namespace groundswell::tetra
