#include "groundswell/mesh/tetra/locate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

namespace groundswell::tetra {

namespace {

constexpr double rounding = 1e-9;  // of a cell's own length

struct Bounds {
    Point low{}, high{};
};

Bounds bounds_of(const Tetrahedron& cell) {
    Bounds bounds{cell.place[0], cell.place[0]};
    for (const Point& place : cell.place) {
        for (int j = 0; j < 3; ++j) {
            bounds.low[j] = std::min(bounds.low[j], place[j]);
            bounds.high[j] = std::max(bounds.high[j], place[j]);
        }
    }
    return bounds;
}

Point reference_of(const Tetrahedron& cell, const Geometry& geometry, const Point& point) {
    Point reference{};
    for (int d = 0; d < 3; ++d) {
        for (int j = 0; j < 3; ++j) reference[d] += geometry.gradient[d][j] * (point[j] - cell.place[0][j]);
    }
    return reference;
}

bool is_inside(const Point& xi) {
    return std::min({xi[0], xi[1], xi[2], 1.0 - xi[0] - xi[1] - xi[2]}) >= -rounding;
}

// Points by their first coordinate, so that a cell looks at few.
struct Sorted {
    std::vector<std::size_t> order;
    std::vector<double> key;

    explicit Sorted(std::span<const Point> points) : order(points.size()) {
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::ranges::sort(order, {}, [&](std::size_t i) { return points[i][0]; });
        for (const std::size_t i : order) key.push_back(points[i][0]);
    }
};

// A triangle seen from above.
struct Triangle {
    std::array<Point, 3> corner;

    double low() const { return std::min({corner[0][0], corner[1][0], corner[2][0]}); }
    double high() const { return std::max({corner[0][0], corner[1][0], corner[2][0]}); }

    /// z below or above a point; nothing where the point is beside it, or it stands upright.
    std::optional<double> height_at(const Point& point) const {
        const auto& [a, b, c] = corner;
        const double abx = b[0] - a[0], aby = b[1] - a[1], acx = c[0] - a[0], acy = c[1] - a[1];
        const double area = abx * acy - aby * acx;
        if (std::abs(area) <= rounding * (abx * abx + aby * aby + acx * acx + acy * acy)) return std::nullopt;
        const double x = point[0] - a[0], y = point[1] - a[1];
        const double of_b = (x * acy - y * acx) / area, of_c = (abx * y - aby * x) / area;
        if (std::min({of_b, of_c, 1.0 - of_b - of_c}) < -rounding) return std::nullopt;
        return a[2] + of_b * (b[2] - a[2]) + of_c * (c[2] - a[2]);
    }
};

std::vector<Triangle> free_faces(const LocalMesh& mesh) {
    std::vector<Triangle> faces;
    for (std::int32_t c = 0; c < mesh.owned; ++c) {
        const Tetrahedron& cell = mesh.cell[c];
        for (int f = 0; f < 4; ++f) {
            if (!is_surface(cell.boundary[f])) continue;
            const auto& corner = face_corners[f];
            faces.push_back({{cell.place[corner[0]], cell.place[corner[1]], cell.place[corner[2]]}});
        }
    }
    return faces;
}

void least(MPI_Comm comm, std::vector<double>& values) {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MIN, comm);
}

}  // namespace

std::vector<Located> locate(MPI_Comm comm, const LocalMesh& mesh, std::span<const Point> points) {
    std::vector<Located> found(points.size());
    const Sorted sorted(points);
    constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t> id(points.size(), none);
    for (std::int32_t c = 0; c < mesh.owned; ++c) {
        const Tetrahedron& cell = mesh.cell[c];
        const Bounds bounds = bounds_of(cell);
        const double slack = rounding * (bounds.high[0] - bounds.low[0]);
        const auto from = std::ranges::lower_bound(sorted.key, bounds.low[0] - slack) - sorted.key.begin();
        const Geometry geometry = geometry_of(cell.place);
        for (auto i = static_cast<std::size_t>(from); i < sorted.key.size(); ++i) {
            if (sorted.key[i] > bounds.high[0] + slack) break;
            const std::size_t p = sorted.order[i];
            if (mesh.id[c] >= id[p]) continue;
            const Point reference = reference_of(cell, geometry, points[p]);
            if (!is_inside(reference)) continue;
            id[p] = mesh.id[c];
            found[p].cell = c;
            found[p].reference = reference;
        }
    }
    std::vector<std::int64_t> lowest = id;
    MPI_Allreduce(MPI_IN_PLACE, lowest.data(), static_cast<int>(lowest.size()), MPI_INT64_T, MPI_MIN, comm);
    std::vector<double> distance(points.size(), 0.0);
    for (std::size_t p = 0; p < points.size(); ++p) {
        if (lowest[p] != id[p]) found[p].cell = -1;
        found[p].id = lowest[p] == none ? -1 : lowest[p];
        if (lowest[p] != none) continue;
        distance[p] = std::numeric_limits<double>::infinity();
        for (std::int32_t c = 0; c < mesh.owned; ++c) {
            for (const Point& place : mesh.cell[c].place)
                distance[p] = std::min(
                    distance[p],
                    std::hypot(place[0] - points[p][0], place[1] - points[p][1], place[2] - points[p][2]));
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, distance.data(), static_cast<int>(distance.size()), MPI_DOUBLE, MPI_MIN,
                  comm);
    for (std::size_t p = 0; p < points.size(); ++p) found[p].outside = distance[p];
    return found;
}

std::vector<Surface> find_surface(MPI_Comm comm, const LocalMesh& mesh, std::span<const Point> points) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const Sorted sorted(points);
    const std::vector<Triangle> faces = free_faces(mesh);
    std::vector<double> away(points.size(), infinity), height(points.size(), infinity);
    for (const Triangle& face : faces) {
        const double slack = rounding * (face.high() - face.low());
        const auto from = std::ranges::lower_bound(sorted.key, face.low() - slack) - sorted.key.begin();
        for (auto i = static_cast<std::size_t>(from); i < sorted.key.size(); ++i) {
            if (sorted.key[i] > face.high() + slack) break;
            const std::size_t p = sorted.order[i];
            const auto z = face.height_at(points[p]);
            if (!z) continue;
            // Where two faces that meet there are equally near, the lower one counts.
            const std::pair mine{std::abs(*z - points[p][2]), *z};
            if (mine < std::pair{away[p], height[p]}) std::tie(away[p], height[p]) = mine;
        }
    }
    std::vector<double> nearest = away, beside(points.size(), 0.0);
    least(comm, nearest);
    for (std::size_t p = 0; p < points.size(); ++p) {
        if (away[p] != nearest[p]) height[p] = infinity;
        if (nearest[p] < infinity) continue;
        beside[p] = infinity;
        for (const Triangle& face : faces) {
            for (const Point& corner : face.corner)
                beside[p] =
                    std::min(beside[p], std::hypot(corner[0] - points[p][0], corner[1] - points[p][1]));
        }
    }
    least(comm, height);
    least(comm, beside);
    std::vector<Surface> found;
    for (std::size_t p = 0; p < points.size(); ++p)
        found.push_back({nearest[p] < infinity, nearest[p] < infinity ? height[p] : 0.0, beside[p]});
    return found;
}

}  // namespace groundswell::tetra
