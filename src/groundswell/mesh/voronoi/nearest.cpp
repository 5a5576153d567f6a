#include "groundswell/mesh/voronoi/nearest.hpp"

#include <limits>

#include "groundswell/mesh/voronoi/sphere.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::voronoi {
namespace {

/// Squared chord: what is compared, inside a rank and between ranks alike.
double squared_chord(Vector3 a, Vector3 b) {
    const Vector3 apart = a - b;
    return dot(apart, apart);
}

}  // namespace

NearestCell nearest_owned_cell(const LocalMesh& mesh, double lon, double lat) {
    const Vector3 place = point_at(lon, lat);
    NearestCell best;
    double least = std::numeric_limits<double>::infinity();
    for (std::int32_t c = 0; c < mesh.owned; ++c) {
        const double chord = squared_chord(point_at(mesh.lon[c], mesh.lat[c]), place);
        if (chord < least || (chord == least && mesh.id[c] < best.id)) {
            least = chord;
            best = {mesh.id[c], c, 0.0, mesh.lon[c], mesh.lat[c]};
        }
    }
    best.distance = best.local < 0 ? least : mesh.radius * arc(point_at(best.lon, best.lat), place);
    return best;
}

NearestCell nearest_cell(MPI_Comm comm, const LocalMesh& mesh, double lon, double lat) {
    const NearestCell mine = nearest_owned_cell(mesh, lon, lat);
    const Vector3 place = point_at(lon, lat);
    const double infinite = std::numeric_limits<double>::infinity();
    const double my_chord = mine.id < 0 ? infinite : squared_chord(point_at(mine.lon, mine.lat), place);
    double least = infinite;
    parallel::check(MPI_Allreduce(&my_chord, &least, 1, MPI_DOUBLE, MPI_MIN, comm), "finding a cell");
    const std::int64_t none = std::numeric_limits<std::int64_t>::max();
    const bool as_near = mine.id >= 0 && my_chord == least;
    const std::int64_t candidate = as_near ? mine.id : none;
    NearestCell best;
    parallel::check(MPI_Allreduce(&candidate, &best.id, 1, MPI_INT64_T, MPI_MIN, comm), "finding a cell");
    const bool is_mine = as_near && best.id == mine.id;
    // Exactly one rank owns the cell and gives its place; the others give what is lower than any.
    const double centre[2] = {is_mine ? mine.lon : -infinite, is_mine ? mine.lat : -infinite};
    double found[2] = {0.0, 0.0};
    parallel::check(MPI_Allreduce(centre, found, 2, MPI_DOUBLE, MPI_MAX, comm), "finding a cell");
    if (best.id == none) return {-1, -1, infinite, 0.0, 0.0};
    best.local = is_mine ? mine.local : -1;
    best.lon = found[0];
    best.lat = found[1];
    best.distance = mesh.radius * arc(point_at(best.lon, best.lat), place);
    return best;
}

}  // namespace groundswell::voronoi
