#include "groundswell/sea/mesh/load_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <unordered_map>

#include "groundswell/base/errors.hpp"
#include "groundswell/netcdf/reader.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::sea {
namespace {

constexpr std::int64_t faces_at_once = 1 << 16;
constexpr auto way_out = "groundswell mesh make --obstruction writes one with the mesh";

// The file, open on rank 0 alone.
class ObstructionFile {
public:
    ObstructionFile(const std::string& path, const std::string& mesh_file)
        : file_(path, "NetCDF file of obstruction"),
          cells_(variable("cells", "face", "side")),
          transparency_(variable("transparency", "face", "direction")) {
        require(cells_.dimensions[1].length == 2, "cells", fmt::to_string(cells_.dimensions[1].length),
                "the two cells of each face");
        require_directions();
        require_same_mesh(mesh_file);
    }

    std::int64_t faces() const { return static_cast<std::int64_t>(cells_.dimensions[0].length); }
    int directions() const { return static_cast<int>(transparency_.dimensions[1].length); }

    /// `cells`: [count][2], `transparency`: [count][directions] in the file's order.
    void read(std::int64_t first, std::int64_t count, std::int64_t* cells, float* transparency) const {
        const auto begin = static_cast<std::size_t>(first), number = static_cast<std::size_t>(count);
        const auto n = static_cast<std::size_t>(directions());
        file_.read(cells_, {begin, 0}, {number, 2}, cells);
        file_.read(transparency_, {begin, 0}, {number, n}, transparency);
        for (std::size_t i = 0; i < number * n; ++i)
            require(transparency[i] >= 0.0F && transparency[i] <= 1.0F,
                    fmt::format("transparency(face {}, direction {})", begin + i / n + 1, i % n + 1),
                    fmt::to_string(transparency[i]), "a share from 0 (nothing passes) to 1 (all does)");
    }

private:
    void require(bool condition, const std::string& key, const std::string& value,
                 const std::string& expected) const {
        base::require(condition, file_.path(), key, value, expected);
    }
    const netcdf::Reader::Variable& variable(const char* name, const char* rows, const char* columns) const {
        const auto* found = file_.find(name);
        require(found != nullptr && found->dimensions.size() == 2 && found->dimensions[0].name == rows &&
                    found->dimensions[1].name == columns,
                name, "", fmt::format("a variable {}({}, {}): {}", name, rows, columns, way_out));
        return *found;
    }
    void require_directions() const {
        const int n = directions();
        require(n >= 4 && n <= 720 && n % 4 == 0, "direction", fmt::to_string(n),
                "4 to 720 directions over the whole circle, a multiple of 4");
        const auto* axis = file_.find("direction");
        require(axis != nullptr, "direction", "", "bearings in degrees, coming from, clockwise from north");
        const std::vector<double> bearings = file_.read_axis(*axis);
        for (int i = 0; i < n; ++i)
            require(std::abs(bearings[i] - 360.0 * i / n) < 1e-3, fmt::format("direction {}", i + 1),
                    fmt::to_string(bearings[i]),
                    fmt::format("{}: bearings go round the circle evenly from 0", 360.0 * i / n));
    }
    void require_same_mesh(const std::string& mesh_file) const {
        const netcdf::Reader mesh(mesh_file, "mesh");
        const auto* cells = mesh.find_dimension("nCells");
        const auto known = file_.number("mesh_cells");
        require(known && cells != nullptr && *known == static_cast<double>(cells->length), "mesh_cells",
                known ? fmt::format("{:.0f}", *known) : "",
                fmt::format("{}, the cells of {}: this file is of another mesh; {}",
                            cells != nullptr ? cells->length : 0, mesh_file, way_out));
        const std::string mine = file_.text("mesh_file_id"), of_mesh = mesh.text("file_id");
        require(mine.empty() || of_mesh.empty() || mine == of_mesh, "mesh_file_id", mine,
                fmt::format("{}, the file_id of {}: this file is of another mesh; {}", of_mesh, mesh_file,
                            way_out));
    }

    netcdf::Reader file_;
    const netcdf::Reader::Variable &cells_, &transparency_;
};

// Owned cells by their index in the mesh file, and edges of theirs.
class Faces {
public:
    explicit Faces(const voronoi::LocalMesh& mesh) : mesh_(mesh) {
        for (std::int32_t cell = 0; cell < mesh.owned; ++cell) owned_[mesh.mesh_cell[cell]] = cell;
    }
    /// Local edge from the cell to the other one, if the cell is owned. Refusal where the two do not touch.
    std::optional<std::int32_t> edge(const std::string& path, std::int64_t from, std::int64_t to) const {
        const auto found = owned_.find(from);
        if (found == owned_.end()) return {};
        bool at_coast = false;
        for (auto e = mesh_.edge_offset[found->second]; e < mesh_.edge_offset[found->second + 1]; ++e) {
            const std::int32_t beyond = mesh_.neighbour[e];
            if (beyond >= 0 && mesh_.mesh_cell[beyond] == to) return e;
            at_coast = at_coast || beyond == voronoi::coast;
        }
        // The other cell may have been left out.
        base::require(at_coast, path, "cells", fmt::format("{}, {}", from, to),
                      fmt::format("two cells that share a face: this file is of another mesh; {}", way_out));
        return {};
    }

private:
    const voronoi::LocalMesh& mesh_;
    std::unordered_map<std::int64_t, std::int32_t> owned_;
};

}  // namespace

Obstruction read_obstruction(MPI_Comm comm, const std::string& path, const std::string& mesh_file,
                             const voronoi::LocalMesh& mesh) {
    std::unique_ptr<ObstructionFile> file;
    std::array<std::int64_t, 2> sizes{};
    parallel::agree(comm, [&] {
        if (parallel::rank_of(comm) != 0) return;
        file = std::make_unique<ObstructionFile>(path, mesh_file);
        sizes = {file->faces(), file->directions()};
    });
    parallel::check(MPI_Bcast(sizes.data(), 2, MPI_INT64_T, 0, comm), "tell the size of an obstruction file");
    Obstruction all;
    all.directions = static_cast<int>(sizes[1]);
    all.row.assign(mesh.neighbour.size(), -1);
    const Faces faces(mesh);
    const int n = all.directions;
    std::vector<std::int64_t> cells;
    std::vector<float> shares;
    for (std::int64_t first = 0; first < sizes[0]; first += faces_at_once) {
        const std::int64_t count = std::min(faces_at_once, sizes[0] - first);
        cells.resize(static_cast<std::size_t>(2 * count));
        shares.resize(static_cast<std::size_t>(n * count));
        parallel::agree(comm, [&] {
            if (file) file->read(first, count, cells.data(), shares.data());
        });
        parallel::check(MPI_Bcast(cells.data(), static_cast<int>(cells.size()), MPI_INT64_T, 0, comm),
                        "tell the faces of an obstruction file");
        parallel::check(MPI_Bcast(shares.data(), static_cast<int>(shares.size()), MPI_FLOAT, 0, comm),
                        "tell the shares of an obstruction file");
        parallel::agree(comm, [&] {
            for (std::int64_t i = 0; i < count; ++i) {
                const std::int64_t a = cells[2 * i], b = cells[2 * i + 1];
                for (const auto edge : {faces.edge(path, a, b), faces.edge(path, b, a)}) {
                    if (!edge) continue;
                    all.row[*edge] =
                        static_cast<std::int32_t>(all.transparency.size() / static_cast<std::size_t>(n));
                    // The file has bearings, coming from, clockwise from north: j ↔ 270° − 360° j/n.
                    const float* const of_face = shares.data() + i * n;
                    for (int j = 0; j < n; ++j)
                        all.transparency.push_back(of_face[((3 * n / 4 - j) % n + n) % n]);
                }
            }
        });
    }
    return all;
}

}  // namespace groundswell::sea
