#include "groundswell/mesh/voronoi/nearest.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

#include "groundswell/base/constants.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::voronoi {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();

struct Candidate {
    double chord = infinite;  // squared: what is compared, inside a rank and between ranks alike
    std::int64_t id = none;
    std::int32_t local = -1;
};

/// The nearest cell to each place among those that this rank owns.
std::vector<Candidate> nearest_owned(const LocalMesh& mesh, std::span<const Place> places) {
    std::vector<Vector3> points;
    for (const Place& place : places) points.push_back(point_at(place.lon, place.lat));
    std::vector<Candidate> nearest(places.size());
    for (std::int32_t c = 0; c < mesh.owned; ++c) {
        const Vector3 centre = point_at(mesh.lon[c], mesh.lat[c]);
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Vector3 apart = centre - points[i];
            const double chord = dot(apart, apart);
            Candidate& best = nearest[i];
            if (chord < best.chord || (chord == best.chord && mesh.id[c] < best.id))
                best = {chord, mesh.id[c], c};
        }
    }
    return nearest;
}

template <class T>
void reduce(MPI_Comm comm, std::vector<T>& values, MPI_Datatype type, MPI_Op operation) {
    parallel::check(
        MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), type, operation, comm),
        "find the nearest cells");
}

}  // namespace

std::vector<NearestCell> nearest_cells(MPI_Comm comm, const LocalMesh& mesh, std::span<const Place> places) {
    const std::vector<Candidate> mine = nearest_owned(mesh, places);
    const std::size_t count = places.size();
    std::vector<double> chord;
    for (const Candidate& candidate : mine) chord.push_back(candidate.chord);
    reduce(comm, chord, MPI_DOUBLE, MPI_MIN);
    std::vector<std::int64_t> id;
    for (std::size_t i = 0; i < count; ++i) id.push_back(mine[i].chord == chord[i] ? mine[i].id : none);
    reduce(comm, id, MPI_INT64_T, MPI_MIN);
    // Exactly one rank owns the cell and tells of it; the others give what is lower than any.
    const auto owns = [&](std::size_t i) { return id[i] != none && mine[i].id == id[i]; };
    std::vector<double> told(3 * count, -infinite);  // longitude, latitude, area
    std::vector<std::int64_t> mesh_cell(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        if (!owns(i)) continue;
        told[3 * i] = mesh.lon[mine[i].local];
        told[3 * i + 1] = mesh.lat[mine[i].local];
        told[3 * i + 2] = mesh.area[mine[i].local];
        mesh_cell[i] = mesh.mesh_cell[mine[i].local];
    }
    reduce(comm, told, MPI_DOUBLE, MPI_MAX);
    reduce(comm, mesh_cell, MPI_INT64_T, MPI_MAX);

    std::vector<NearestCell> found(count, {-1, 0, -1, infinite, 0.0, 0.0, 0.0});
    for (std::size_t i = 0; i < count; ++i) {
        if (id[i] == none) continue;
        const double lon = told[3 * i], lat = told[3 * i + 1];
        const double angle = arc(point_at(lon, lat), point_at(places[i].lon, places[i].lat));
        found[i] = {id[i],
                    mesh_cell[i],
                    owns(i) ? mine[i].local : -1,
                    mesh.radius * angle,
                    lon,
                    lat,
                    2.0 * std::sqrt(told[3 * i + 2] / base::pi)};
    }
    return found;
}

}  // namespace groundswell::voronoi
