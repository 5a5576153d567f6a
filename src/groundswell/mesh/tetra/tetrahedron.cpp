#include "groundswell/mesh/tetra/tetrahedron.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "groundswell/base/errors.hpp"

namespace groundswell::tetra {

void sort_corners(Tetrahedron& cell) {
    std::array<int, 4> order{0, 1, 2, 3};
    std::ranges::sort(order, {}, [&](int corner) { return cell.vertex[corner]; });
    Tetrahedron sorted;
    for (int i = 0; i < 4; ++i) {
        sorted.vertex[i] = cell.vertex[order[i]];
        sorted.place[i] = cell.place[order[i]];
        sorted.boundary[3 - i] = cell.boundary[3 - order[i]];
        sorted.in_file[i] = cell.in_file[order[i]];
    }
    cell = sorted;
}

bool is_inverted(const Tetrahedron& cell) {
    return dot(cell.place[1] - cell.place[0],
               cross(cell.place[2] - cell.place[0], cell.place[3] - cell.place[0])) < 0.0;
}

std::array<double, 6> edges_of(const std::array<Point, 4>& place) {
    std::array<double, 6> length{};
    int edge = 0;
    for (int i = 1; i < 4; ++i) {
        for (int k = 0; k < i; ++k) {
            const Point along = place[i] - place[k];
            length[edge++] = std::hypot(along[0], along[1], along[2]);
        }
    }
    return length;
}

namespace {

// As thin as a needle or a leaf that stands upright where longitudes and latitudes may be.
bool looks_like_degrees(const std::array<Point, 4>& place) {
    constexpr double needle = 100.0;
    std::array<double, 3> low = place[0], high = place[0];
    for (const Point& corner : place) {
        for (int j = 0; j < 3; ++j) {
            low[j] = std::min(low[j], corner[j]);
            high[j] = std::max(high[j], corner[j]);
        }
    }
    const bool on_earth = low[0] >= -360.0 && high[0] <= 360.0 && low[1] >= -90.0 && high[1] <= 90.0;
    return on_earth && high[2] - low[2] > needle * std::max(high[0] - low[0], high[1] - low[1]);
}

}  // namespace

void check_shape(const Tetrahedron& cell, const std::string& path, std::int64_t row) {
    const std::array<Point, 3> edge{cell.place[1] - cell.place[0], cell.place[2] - cell.place[0],
                                    cell.place[3] - cell.place[0]};
    double longest = 0.0;
    for (const Point& e : edge) longest = std::max(longest, dot(e, e));
    const double volume = dot(edge[0], cross(edge[1], edge[2])) / 6.0;
    const std::string name = fmt::format("cell {}", row);
    base::require(std::isfinite(volume), path, name, "corners without finite coordinates",
                  "finite coordinates");
    base::require(std::abs(volume) > 1e-9 * longest * std::sqrt(longest), path, name,
                  fmt::format("{:.3g} m³, near {:.3f} {:.3f} {:.3f}", volume, cell.place[0][0],
                              cell.place[0][1], cell.place[0][2]),
                  looks_like_degrees(cell.place)
                      ? "metres: x and y look like degrees, which are to be projected"
                      : "a tetrahedron that is not flat");
    base::require(volume > 0.0, path, name, "inverted", "a right-handed order of its corners");
}

Point centre_of(const Tetrahedron& cell) {
    Point centre{};
    for (const Point& place : cell.place) {
        for (int j = 0; j < 3; ++j) centre[j] += 0.25 * place[j];
    }
    return centre;
}

Point place_in(const std::array<Point, 4>& corners, const std::array<double, 3>& reference) {
    const double first = 1.0 - reference[0] - reference[1] - reference[2];
    Point place{};
    for (int j = 0; j < 3; ++j)
        place[j] = first * corners[0][j] + reference[0] * corners[1][j] + reference[1] * corners[2][j] +
                   reference[2] * corners[3][j];
    return place;
}

Geometry geometry_of(const std::array<Point, 4>& place) {
    Geometry shape;
    const std::array<Point, 3> edge{place[1] - place[0], place[2] - place[0], place[3] - place[0]};
    const double determinant = dot(edge[0], cross(edge[1], edge[2]));
    shape.volume = std::abs(determinant) / 6.0;
    for (int d = 0; d < 3; ++d) {
        const Point along = cross(edge[(d + 1) % 3], edge[(d + 2) % 3]);
        for (int j = 0; j < 3; ++j) shape.gradient[d][j] = along[j] / determinant;
    }
    for (int f = 0; f < 4; ++f) {
        const auto& corner = face_corners[f];
        // Both tetrahedra at a face come to the same bits, but for the sign.
        Point normal = cross(place[corner[1]] - place[corner[0]], place[corner[2]] - place[corner[0]]);
        const double length = std::sqrt(dot(normal, normal));
        const bool inward = dot(normal, place[3 - f] - place[corner[0]]) > 0.0;
        for (double& n : normal) n /= inward ? -length : length;
        shape.normal[f] = normal;
        shape.area[f] = 0.5 * length;
    }
    return shape;
}

double radius_ratio(const std::array<Point, 4>& place) {
    const std::array<Point, 3> edge{place[1] - place[0], place[2] - place[0], place[3] - place[0]};
    Point sum{};
    for (int i = 0; i < 3; ++i) {
        const Point normal = cross(edge[(i + 1) % 3], edge[(i + 2) % 3]);
        for (int j = 0; j < 3; ++j) sum[j] += dot(edge[i], edge[i]) * normal[j];
    }
    const Geometry shape = geometry_of(place);
    const double circumscribed = std::sqrt(dot(sum, sum)) / (12.0 * shape.volume);
    return 3.0 * shape.inscribed_radius() / circumscribed;
}

}  // namespace groundswell::tetra
