#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/base/make_unique.hpp"
#include "groundswell/mesh/tetra/formats/mesh_format.hpp"
#include "groundswell/mesh/tetra/join.hpp"
#include "groundswell/netcdf/reader.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::tetra {

namespace formats {
MeshFormat puml();
}

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

Boundary boundary_of(const std::string& path, std::int64_t cell, int face, std::int64_t tag) {
    if (tag == 6) return Boundary::none;  // periodic, which the vertices say
    const std::optional<Boundary> boundary = boundary_of_tag(tag);
    base::require(
        boundary.has_value(), path, fmt::format("boundary of face {} of cell {}", face, cell),
        std::to_string(tag),
        fmt::format(
            "0 (none), 1 (free surface), 2 (sea surface), 3 (fault), 5 (absorbing), 6 (periodic) or 65 to {} "
            "(a fault)",
            highest_fault_tag));
    return *boundary;
}

// How tags are packed: `bits` of each face in one number a cell, or a number a face.
struct Packing {
    int columns = 1, bits = 8;
    bool is_guessed = false;  // from numbers that have room for either
};

// What the file says; or, where it says nothing, what its array has room for.
Packing packing_of(const Reader& file, const Reader::Variable& boundary) {
    std::string format = file.text("boundary-format");
    if (const auto number = file.number("boundary-format")) {
        const char* const formats[] = {"i32", "i64", "i32x4"};
        format = *number >= 0.0 && *number < 3.0 ? formats[static_cast<int>(*number)] : "unknown";
    }
    const bool is_guessed = format.empty() && boundary.dimensions.size() == 1 && boundary.integer_bits == 64;
    if (is_guessed) return {1, 8, true};
    if (format.empty()) format = boundary.dimensions.size() == 2 ? "i32x4" : "i32";
    if (format == "i32x4") return {4, 32, false};
    if (format == "i64") return {1, 16, false};
    base::require(format == "i32", file.path(), "boundary-format", format, "i32, i64 or i32x4");
    return {};
}

// Numbers of 64 bits without a word of how they are packed: 16 bits of each face reach beyond 2^32, 8 bits do not. Collective.
void guess_packing(MPI_Comm comm, const std::string& path, std::span<const std::int64_t> tags,
                   Packing& packing) {
    const bool mine = std::ranges::any_of(tags, [](std::int64_t tag) { return tag < 0 || tag >> 32 != 0; });
    if (parallel::max(comm, std::int64_t{mine ? 1 : 0}) == 0) return;
    packing.bits = 16;
    if (parallel::rank_of(comm) == 0)
        base::log_info(
            "{}: boundary has numbers above 2^32 and no attribute boundary-format: read as i64, 16 bits for "
            "each face",
            path);
}

// Where vertices at both ends of a period are told to be one; null if they are not.
const Reader::Variable* identification(const Reader& file) {
    const std::string format = file.text("topology-format");
    if (format.empty() || format == "geometric") return nullptr;
    base::require(format == "identify-vertex", file.path(), "topology-format", format,
                  "geometric or identify-vertex");
    return &variable(file, "identify", 0);
}

using Vertex = JoinedVertex;  // of a periodic mesh the number is the same for places that are one

// Those of this rank's block.
void read_vertices(const Reader& file, const Reader::Variable& geometry, const parallel::RowBlocks& blocks,
                   std::vector<Vertex>& vertices) {
    const auto first = static_cast<std::size_t>(blocks.begin());
    const auto mine = static_cast<std::size_t>(blocks.mine());
    const Reader::Variable* identify = identification(file);
    base::require(
        identify == nullptr || identify->dimensions[0].length == static_cast<std::size_t>(blocks.rows),
        file.path(), "identify", "another number of rows", "one for each vertex");
    if (mine == 0) return;
    std::vector<Point> places(mine);
    file.read(geometry, {first, 0}, {mine, 3}, places.front().data());
    std::vector<std::int64_t> numbers(mine);
    std::iota(numbers.begin(), numbers.end(), blocks.begin());
    if (identify != nullptr) file.read(*identify, {first}, {mine}, numbers.data());
    for (std::size_t i = 0; i < mine; ++i) {
        base::require(numbers[i] >= 0 && numbers[i] < blocks.rows, file.path(),
                      fmt::format("identify({})", first + i), std::to_string(numbers[i]),
                      fmt::format("a vertex, 0 to {}", blocks.rows - 1));
        vertices.push_back({numbers[i], places[i]});
    }
}

}  // namespace

Slab read_puml(MPI_Comm comm, parallel::SparseExchange& exchange, const std::string& path, double join) {
    const int ranks = parallel::size_of(comm), rank = parallel::rank_of(comm);
    Slab slab;
    parallel::RowBlocks vertices;
    std::vector<std::int64_t> corners, tags;
    std::vector<Vertex> places;
    Packing packing;
    parallel::agree(comm, [&] {
        const Reader file(path, "PUML mesh");
        const auto& connect = variable(file, "connect", 4);
        const auto& geometry = variable(file, "geometry", 3);
        const auto& group = variable(file, "group", 0);
        const Reader::Variable* found = file.find("boundary");
        const bool is_wide = found != nullptr && found->dimensions.size() == 2;
        const auto& boundary = variable(file, "boundary", is_wide ? 4 : 0);
        const std::size_t cells = connect.dimensions[0].length;
        for (const auto* one : {&group, &boundary}) {
            base::require(one->dimensions[0].length == cells, path, one->name,
                          fmt::format("{} rows", one->dimensions[0].length),
                          fmt::format("{}, one for each cell", cells));
        }
        base::require(cells > 0, path, "connect", "0 cells", "1 or more");
        packing = packing_of(file, boundary);
        base::require(is_wide == (packing.columns == 4), path, "boundary",
                      fmt::format("{} dimensions", boundary.dimensions.size()),
                      "as boundary-format says: (cells, 4) for i32x4, a row for each cell for others");
        slab.blocks = parallel::RowBlocks(static_cast<std::int64_t>(cells), ranks, rank);
        slab.vertices = static_cast<std::int64_t>(geometry.dimensions[0].length);
        vertices = parallel::RowBlocks(slab.vertices, ranks, rank);
        const auto first = static_cast<std::size_t>(slab.blocks.begin());
        const auto mine = static_cast<std::size_t>(slab.blocks.mine());
        corners.resize(4 * mine);
        tags.resize(packing.columns * mine);
        slab.group.resize(mine);
        if (mine > 0) {
            file.read(connect, {first, 0}, {mine, 4}, corners.data());
            if (is_wide) {
                file.read(boundary, {first, 0}, {mine, 4}, tags.data());
            } else {
                file.read(boundary, {first}, {mine}, tags.data());
            }
            file.read(group, {first}, {mine}, slab.group.data());
        }
        read_vertices(file, geometry, vertices, places);
        slab.bytes_read =
            static_cast<std::int64_t>(sizeof(std::int64_t)) * (5 + packing.columns) * slab.blocks.mine() +
            static_cast<std::int64_t>(sizeof(Point)) * vertices.mine();
        for (std::size_t i = 0; i < corners.size(); ++i) {
            base::require(corners[i] >= 0 && corners[i] < slab.vertices, path,
                          fmt::format("connect({}, {})", first + i / 4, i % 4), std::to_string(corners[i]),
                          fmt::format("a vertex, 0 to {}", slab.vertices - 1));
        }
    });

    if (packing.is_guessed) guess_packing(comm, path, tags, packing);

    std::vector<std::int64_t> wanted = corners;
    base::make_unique(wanted);
    auto answers = parallel::ask_owners<Vertex, std::int64_t>(
        exchange, vertices, wanted, [&](std::int64_t row) { return places[row - vertices.begin()]; });

    if (join > 0.0) join_vertices(comm, exchange, path, answers, join);

    parallel::agree(comm, [&] {
        for (std::size_t c = 0; c < slab.group.size(); ++c) {
            const std::int64_t row = slab.blocks.begin() + static_cast<std::int64_t>(c);
            Tetrahedron cell;
            for (int i = 0; i < 4; ++i) {
                const auto at = std::ranges::lower_bound(wanted, corners[4 * c + i]) - wanted.begin();
                cell.vertex[i] = answers[at].number;
                cell.place[i] = answers[at].place;
            }
            for (int f = 0; f < 4; ++f) {
                const int face = face_in_file[f];
                const auto tag = packing.columns == 4
                                     ? tags[4 * c + face]
                                     : tags[c] >> (packing.bits * face) & ((1 << packing.bits) - 1);
                cell.boundary[f] = boundary_of(path, row, face, tag);
            }
            auto numbers = cell.vertex;
            std::ranges::sort(numbers);
            base::require(
                std::ranges::adjacent_find(numbers) == numbers.end(), path, fmt::format("cell {}", row),
                "with a vertex twice",
                join > 0.0 ? "a mesh.join that is shorter than all edges" : "a period of several cells");
            check_shape(cell, path, row);
            sort_corners(cell);
            slab.cell.push_back(cell);
        }
    });
    return slab;
}

formats::MeshFormat formats::puml() {
    return {"PUML (HDF5)",
            [](std::string_view beginning) { return beginning.starts_with("\x89HDF\r\n\x1a\n"); },
            [](const std::string& path) { return Reader(path).find("connect") != nullptr; }, &read_puml};
}

}  // namespace groundswell::tetra
