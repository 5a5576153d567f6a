#include "groundswell/sea/boundary/boundary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"
#include "groundswell/netcdf/reader.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::sea {

namespace {

constexpr double loss_worth_a_word = 0.01;

using voronoi::Vector3;

OpenFace face_at(const voronoi::LocalMesh& mesh, std::int32_t cell, std::int32_t e) {
    const double lon = mesh.edge_lon[e], lat = mesh.edge_lat[e], bearing = mesh.edge_bearing[e];
    const Vector3 normal =
        std::cos(bearing) * voronoi::east_at(lon) + std::sin(bearing) * voronoi::north_at(lon, lat);
    const Vector3 centre = voronoi::point_at(mesh.lon[cell], mesh.lat[cell]);
    const Vector3 beyond = centre - 2.0 * voronoi::dot(centre, normal) * normal;
    return {cell, e, voronoi::longitude_of(beyond), voronoi::latitude_of(beyond)};
}

struct Listed {
    std::vector<std::int64_t> cell, side;
};

// Read by one rank for all; empty where the file lists none.
Listed read_list(MPI_Comm comm, const std::string& mesh_file) {
    Listed listed;
    std::int64_t faces = 0;
    parallel::agree(comm, [&] {
        if (parallel::rank_of(comm) != 0) return;
        const netcdf::Reader file(mesh_file, "mesh");
        const auto *cells = file.find("openFaceCell"), *sides = file.find("openFaceSide");
        if (cells == nullptr || sides == nullptr) return;
        for (const auto* one : {cells, sides})
            base::require(
                one->dimensions.size() == 1 && one->dimensions[0].length == cells->dimensions[0].length,
                mesh_file, one->name, "", "one number for each open face");
        faces = static_cast<std::int64_t>(cells->dimensions[0].length);
        listed.cell.resize(static_cast<std::size_t>(faces));
        listed.side.resize(listed.cell.size());
        file.read(*cells, {0}, {listed.cell.size()}, listed.cell.data());
        file.read(*sides, {0}, {listed.side.size()}, listed.side.data());
    });
    parallel::check(MPI_Bcast(&faces, 1, MPI_INT64_T, 0, comm), "tell how many faces are open");
    for (auto* values : {&listed.cell, &listed.side}) {
        values->resize(static_cast<std::size_t>(faces));
        parallel::check(MPI_Bcast(values->data(), static_cast<int>(faces), MPI_INT64_T, 0, comm),
                        "tell which faces are open");
    }
    return listed;
}

std::vector<OpenFace> faces_of_list(const std::string& mesh_file, const Listed& listed,
                                    const voronoi::LocalMesh& mesh) {
    std::unordered_map<std::int64_t, std::int32_t> local;
    for (std::int32_t cell = 0; cell < mesh.total; ++cell)
        if (mesh.edge_offset[cell + 1] > mesh.edge_offset[cell]) local[mesh.mesh_cell[cell]] = cell;
    std::vector<OpenFace> faces;
    for (std::size_t i = 0; i < listed.cell.size(); ++i) {
        const auto found = local.find(listed.cell[i]);
        if (found == local.end()) continue;  // of another rank, or left out
        const std::int32_t cell = found->second, first = mesh.edge_offset[cell];
        const std::int64_t sides = mesh.edge_offset[cell + 1] - first, side = listed.side[i];
        base::require(
            side >= 1 && side <= sides && mesh.neighbour[first + side - 1] == voronoi::coast, mesh_file,
            fmt::format("openFaceSide({})", i + 1), fmt::to_string(side),
            fmt::format("a side of cell {}, which has {}, with no sea cell beyond", listed.cell[i], sides));
        faces.push_back(face_at(mesh, cell, first + static_cast<std::int32_t>(side) - 1));
    }
    return faces;
}

std::vector<OpenFace> faces_beyond(const std::vector<double>& region, const voronoi::LocalMesh& mesh) {
    std::vector<OpenFace> faces;
    for (std::int32_t cell = 0; cell < mesh.total; ++cell)
        for (std::int32_t e = mesh.edge_offset[cell]; e < mesh.edge_offset[cell + 1]; ++e) {
            if (mesh.neighbour[e] != voronoi::coast) continue;
            const OpenFace face = face_at(mesh, cell, e);
            if (!is_inside(region, face.lon, face.lat)) faces.push_back(face);
        }
    return faces;
}

}  // namespace

Boundary::Boundary(MPI_Comm comm, const std::string& case_file, std::vector<BoundarySection> sections,
                   const OpenMesh& open, const voronoi::LocalMesh& mesh, const SpectralGrid& grid,
                   PropagationScheme scheme, Propagator& propagator)
    : comm_(comm),
      case_file_(case_file),
      sections_(std::move(sections)),
      grid_(grid),
      entries_(sections_.size()) {
    const std::vector<OpenFace> faces = find_open_faces(comm, case_file, open.file, open.beyond, mesh);
    std::vector<std::int32_t> edges;
    for (const OpenFace& face : faces) {
        // The last entry that has the face counts.
        for (std::size_t i = sections_.size(); i-- > 0;) {
            const std::vector<double>& region = sections_[i].region;
            if (!region.empty() && !is_inside(region, mesh.edge_lon[face.edge], mesh.edge_lat[face.edge]))
                continue;
            entries_[i].faces.push_back(face);
            // First order takes what lies in the middle of a cell beyond, second order what is at the face.
            if (scheme == PropagationScheme::second_order) {
                entries_[i].faces.back().lon = mesh.edge_lon[face.edge];
                entries_[i].faces.back().lat = mesh.edge_lat[face.edge];
            }
            entries_[i].place.push_back(edges.size());
            entries_[i].owned += face.cell < mesh.owned ? 1 : 0;
            edges.push_back(face.edge);
            frame_.push_back(propagator.frame_turn(face.cell, face.edge));
            break;
        }
    }
    require_faces(std::ranges::count_if(faces, [&](const OpenFace& face) { return face.cell < mesh.owned; }));
    inflow_ = std::make_shared<Inflow>(mesh, std::move(edges), grid.bins());
    propagator.let_in(inflow_);
}

void Boundary::require_faces(std::int64_t open_here) const {
    const std::int64_t open = parallel::sum(comm_, open_here);
    std::vector<std::int64_t> of_entry;
    for (const Entry& entry : entries_) of_entry.push_back(parallel::sum(comm_, entry.owned));
    parallel::agree(comm_, [&] {
        base::require(open > 0, case_file_, "mesh.open_beyond", "",
                      "a region with faces of the mesh beyond it: none is open");
        for (std::size_t i = 0; i < of_entry.size(); ++i)
            base::require(
                of_entry[i] > 0, case_file_, fmt::format("boundary[{}].region", i),
                fmt::format("[{}]", fmt::join(sections_[i].region, ", ")),
                fmt::format("a region with open faces that no later entry has: none of the {} open faces "
                            "of the mesh is left to it",
                            open));
    });
    std::int64_t used = 0;
    for (const std::int64_t faces : of_entry) used += faces;
    if (parallel::rank_of(comm_) != 0) return;
    base::log_info("waves enter over {} open faces{}", used,
                   used < open
                       ? fmt::format("; over {} others that no [[boundary]] has, none do", open - used)
                       : std::string());
}

void Boundary::open(base::Instant start, base::Instant first, base::Instant end) {
    end_ = end;
    parallel::agree(comm_, [&] {
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            Entry& entry = entries_[i];
            if (entry.faces.empty()) continue;
            entry.source = make_boundary_source(sections_[i], case_file_, grid_, entry.faces, start, end);
            entry.source->read(std::min(first, end));
        }
    });
    warn_of_loss();
}

void Boundary::warn_of_loss() {
    BoundarySource::Loss worst;
    parallel::agree(comm_, [&] {
        for (const Entry& entry : entries_) {
            if (!entry.source) continue;
            const BoundarySource::Loss loss = entry.source->find_loss();
            if (loss.share > worst.share) worst = loss;
        }
    });
    const double largest = parallel::max(comm_, worst.share);
    if (largest <= loss_worth_a_word) return;
    // The first rank that has it speaks.
    const std::int64_t mine = worst.share == largest ? parallel::rank_of(comm_) : INT32_MAX;
    if (parallel::min(comm_, mine) == mine && mine != INT32_MAX)
        base::log_warning(
            "{}: {:.1f} % of the waves' energy lies outside the frequencies of [spectrum], {:.4g} to "
            "{:.4g} Hz, and does not enter",
            worst.where, 100.0 * worst.share, grid_.frequency.front(), grid_.frequency.back());
}

void Boundary::set(base::Instant time) {
    try {
        for (Entry& entry : entries_) {
            if (!entry.source) continue;
            entry.source->read(std::min(time, end_));
            for (std::size_t i = 0; i < entry.faces.size(); ++i) {
                Real* const beyond = inflow_->beyond(entry.place[i]);
                entry.source->spectrum(i, beyond);
                if (frame_[entry.place[i]] != 0.0) turn(entry.place[i], beyond);
            }
        }
    } catch (const base::Refusal& refusal) {
        throw base::RunFailure(refusal.what());
    }
}

// From true directions to those in the frame of a rotated cell, between bins linear: the sum is kept.
void Boundary::turn(std::size_t face, Real* action) const {
    const int n = grid_.directions;
    const double place = frame_[face] / grid_.direction_width, below = std::floor(place);
    const auto part = static_cast<Real>(place - below);
    const int shift = ((static_cast<int>(below) % n) + n) % n;
    std::vector<Real> row(static_cast<std::size_t>(n));
    for (int f = 0; f < grid_.frequencies; ++f) {
        Real* const values = action + grid_.index(f, 0);
        // In the frame a direction θ is θ + frame.
        for (int d = 0; d < n; ++d)
            row[d] =
                (Real(1) - part) * values[(d - shift + n) % n] + part * values[(d - shift - 1 + 2 * n) % n];
        std::copy(row.begin(), row.end(), values);
    }
}

bool is_inside(const std::vector<double>& region, double lon, double lat) {
    const double east_of_west = std::fmod(std::fmod(lon / base::degree - region[0], 360.0) + 360.0, 360.0);
    return east_of_west <= region[1] - region[0] && lat >= region[2] * base::degree &&
           lat <= region[3] * base::degree;
}

std::vector<OpenFace> find_open_faces(MPI_Comm comm, const std::string& case_file,
                                      const std::string& mesh_file, const std::vector<double>& beyond,
                                      const voronoi::LocalMesh& mesh) {
    if (!beyond.empty()) return faces_beyond(beyond, mesh);
    const Listed listed = read_list(comm, mesh_file);
    return parallel::agree(comm, [&] {
        base::require(
            !listed.cell.empty(), case_file, "mesh.open_beyond", "",
            fmt::format("[west, east, south, north] with a [[boundary]]: {} does not list which of its "
                        "faces are open, and which are coast",
                        mesh_file));
        std::vector<OpenFace> faces = faces_of_list(mesh_file, listed, mesh);
        std::ranges::sort(faces, {}, &OpenFace::edge);
        return faces;
    });
}

}  // namespace groundswell::sea
