#include <fmt/format.h>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/make_unique.hpp"
#include "groundswell/mesh/tetra/slab.hpp"
#include "groundswell/netcdf/reader.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::tetra {

namespace {

using netcdf::Reader;

// The corners of a face as the file numbers them: the first three lie opposite to corners 3, 2 and 0. Our face f lies
// opposite to corner 3 - f.
constexpr std::array<int, 4> face_in_file{0, 1, 3, 2};

const Reader::Variable& variable(const Reader& file, const char* name, std::size_t columns) {
    const Reader::Variable* found = file.find(name);
    base::require(found != nullptr, file.path(), name, "", "a dataset of this name, as PUML meshes have it");
    const auto& dimensions = found->dimensions;
    const bool fits =
        columns == 0 ? dimensions.size() == 1 : dimensions.size() == 2 && dimensions[1].length == columns;
    base::require(fits, file.path(), name, fmt::format("{} dimensions", dimensions.size()),
                  columns == 0 ? "a row for each cell" : fmt::format("(rows, {})", columns));
    return *found;
}

Boundary boundary_of(const std::string& path, std::int64_t cell, int face, int tag) {
    switch (tag) {
        case 0:
        case 6:
            return Boundary::none;  // 6: periodic, which the vertices say
        case 1:
            return Boundary::free;
        case 3:
            return Boundary::fault;
        case 5:
            return Boundary::absorbing;
        default:
            break;
    }
    base::require(tag > 64, path, fmt::format("boundary of face {} of cell {}", face, cell),
                  std::to_string(tag),
                  "0 (none), 1 (free surface), 3 (fault), 5 (absorbing), 6 (periodic) or above 64 (a fault)");
    return Boundary::fault;
}

// Bits of a face's tag: those that the file says, or those that its type has room for.
int bits_a_face(const Reader& file, const Reader::Variable& boundary) {
    const std::string format = file.text(boundary, "boundary-format");
    if (format == "i64") return 16;
    base::require(format.empty() || format == "i32", file.path(), "boundary-format", format, "i32 or i64");
    return 8;
}

struct VertexQuestion {
    std::int64_t row;
};

}  // namespace

Slab read_puml(MPI_Comm comm, parallel::SparseExchange& exchange, const std::string& path) {
    const int ranks = parallel::size_of(comm), rank = parallel::rank_of(comm);
    Slab slab;
    parallel::RowBlocks vertices;
    std::vector<std::int64_t> corners, tags;
    std::vector<Point> places;
    int bits = 8;
    parallel::agree(comm, [&] {
        const Reader file(path, "PUML mesh");
        const auto& connect = variable(file, "connect", 4);
        const auto& geometry = variable(file, "geometry", 3);
        const auto& group = variable(file, "group", 0);
        const auto& boundary = variable(file, "boundary", 0);
        const std::size_t cells = connect.dimensions[0].length;
        for (const auto* one : {&group, &boundary}) {
            base::require(one->dimensions[0].length == cells, path, one->name,
                          fmt::format("{} rows", one->dimensions[0].length),
                          fmt::format("{}, one a cell", cells));
        }
        base::require(cells > 0, path, "connect", "0 cells", "1 or more");
        bits = bits_a_face(file, boundary);
        slab.blocks = parallel::RowBlocks(static_cast<std::int64_t>(cells), ranks, rank);
        slab.vertices = static_cast<std::int64_t>(geometry.dimensions[0].length);
        vertices = parallel::RowBlocks(slab.vertices, ranks, rank);
        const auto first = static_cast<std::size_t>(slab.blocks.begin());
        const auto mine = static_cast<std::size_t>(slab.blocks.mine());
        corners.resize(4 * mine);
        tags.resize(mine);
        slab.group.resize(mine);
        if (mine > 0) {
            file.read(connect, {first, 0}, {mine, 4}, corners.data());
            file.read(boundary, {first}, {mine}, tags.data());
            file.read(group, {first}, {mine}, slab.group.data());
        }
        places.resize(static_cast<std::size_t>(vertices.mine()));
        if (!places.empty())
            file.read(geometry, {static_cast<std::size_t>(vertices.begin()), 0}, {places.size(), 3},
                      places.front().data());
        for (std::size_t i = 0; i < corners.size(); ++i) {
            base::require(corners[i] >= 0 && corners[i] < slab.vertices, path,
                          fmt::format("connect({}, {})", first + i / 4, i % 4), std::to_string(corners[i]),
                          fmt::format("a vertex, 0 to {}", slab.vertices - 1));
        }
    });

    std::vector<std::int64_t> wanted = corners;
    base::make_unique(wanted);
    std::vector<VertexQuestion> questions;
    questions.reserve(wanted.size());
    for (const std::int64_t row : wanted) questions.push_back({row});
    const auto answers = parallel::ask_owners<Point, VertexQuestion>(
        exchange, vertices, questions,
        [&](const VertexQuestion& question) { return places[question.row - vertices.begin()]; });

    parallel::agree(comm, [&] {
        for (std::size_t c = 0; c < tags.size(); ++c) {
            const std::int64_t row = slab.blocks.begin() + static_cast<std::int64_t>(c);
            Tetrahedron cell;
            for (int i = 0; i < 4; ++i) {
                cell.vertex[i] = corners[4 * c + i];
                const auto at = std::ranges::lower_bound(wanted, cell.vertex[i]) - wanted.begin();
                cell.place[i] = answers[at];
            }
            for (int f = 0; f < 4; ++f) {
                const auto tag =
                    static_cast<std::uint64_t>(tags[c]) >> (bits * face_in_file[f]) & ((1u << bits) - 1);
                cell.boundary[f] = boundary_of(path, row, face_in_file[f], static_cast<int>(tag));
            }
            check_shape(cell, path, row);
            sort_corners(cell);
            slab.cell.push_back(cell);
        }
    });
    return slab;
}

}  // namespace groundswell::tetra
