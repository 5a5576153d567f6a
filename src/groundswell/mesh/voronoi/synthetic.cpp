#include "groundswell/mesh/voronoi/synthetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"

namespace groundswell::voronoi {
namespace {

using Triangle = std::array<std::int32_t, 3>;  // points, anticlockwise

/// One triangle as seen from one of its points: it lies between the sides to `from` and to `to`,
/// anticlockwise.
struct Wedge {
    std::int32_t point, from, to, triangle;
};

/// The wedges around each point: those of point p are [start[p], start[p+1]).
struct Fans {
    std::vector<Wedge> wedges;
    std::vector<std::int64_t> start;
};

Fans fans_of(std::size_t points, const std::vector<Triangle>& triangles) {
    Fans fans;
    fans.start.assign(points + 1, 0);
    for (const Triangle& triangle : triangles) {
        for (const std::int32_t p : triangle) ++fans.start[p + 1];
    }
    for (std::size_t p = 0; p < points; ++p) fans.start[p + 1] += fans.start[p];
    std::vector<std::int64_t> next(fans.start.begin(), fans.start.end() - 1);
    fans.wedges.resize(3 * triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        for (int i = 0; i < 3; ++i) {
            fans.wedges[next[triangles[t][i]]++] = {triangles[t][i], triangles[t][(i + 1) % 3],
                                                    triangles[t][(i + 2) % 3], static_cast<std::int32_t>(t)};
        }
    }
    for (std::size_t p = 0; p < points; ++p)
        std::sort(fans.wedges.begin() + fans.start[p], fans.wedges.begin() + fans.start[p + 1],
                  [](const Wedge& a, const Wedge& b) { return a.from < b.from; });
    return fans;
}

/// Puts the wedges of one point in their turn, beginning with the lowest `from`. False where they do not
/// close: the point is on the rim of the triangulation.
bool close_fan(std::span<Wedge> fan) {
    for (std::size_t i = 1; i < fan.size(); ++i) {
        const auto next = std::find_if(fan.begin() + static_cast<std::ptrdiff_t>(i), fan.end(),
                                       [&](const Wedge& w) { return w.from == fan[i - 1].to; });
        if (next == fan.end()) return false;
        std::swap(fan[i], *next);
    }
    return !fan.empty() && fan.back().to == fan.front().from;
}

/// Voronoi cells of the points of a Delaunay triangulation, where they are closed; corners are circumcentres.
GlobalMesh voronoi_cells(std::string source, const std::vector<Vector3>& points,
                         const std::vector<Triangle>& triangles, const DepthFunction& depth) {
    GlobalMesh mesh;
    mesh.source = std::move(source);
    mesh.radius = base::earth_radius;
    std::vector<Vector3> centre(triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto& [a, b, c] = triangles[t];
        centre[t] = unit(cross(points[b] - points[a], points[c] - points[a]));
        mesh.vertex_lon.push_back(longitude_of(centre[t]));
        mesh.vertex_lat.push_back(latitude_of(centre[t]));
    }

    Fans fans = fans_of(points.size(), triangles);
    const auto fan_of = [&](std::int32_t p) {
        return std::span(fans.wedges).subspan(fans.start[p], fans.start[p + 1] - fans.start[p]);
    };
    std::vector<std::int32_t> number(points.size(), coast);
    std::int32_t cells = 0;
    for (std::int32_t p = 0; p < static_cast<std::int32_t>(points.size()); ++p) {
        if (close_fan(fan_of(p))) number[p] = cells++;
    }

    // An edge is numbered by the first of its cells; the second one finds it around the first.
    const auto edge_of_earlier = [&](std::int32_t cell, std::int32_t earlier) {
        for (std::int64_t j = mesh.offset[earlier]; j < mesh.offset[earlier + 1]; ++j) {
            if (mesh.neighbour[j] == cell) return mesh.edge[j];
        }
        GS_ASSERT(false);
    };
    mesh.offset.push_back(0);
    for (std::int32_t p = 0; p < static_cast<std::int32_t>(points.size()); ++p) {
        if (number[p] == coast) continue;
        const auto fan = fan_of(p);
        double area = 0.0;
        for (std::size_t k = 0; k < fan.size(); ++k) {
            const std::int32_t before = fan[(k + fan.size() - 1) % fan.size()].triangle,
                               after = fan[k].triangle;
            const std::int32_t other = fan[k].from;
            if (other < p && number[other] != coast) {
                mesh.edge.push_back(edge_of_earlier(number[p], number[other]));
            } else {
                mesh.edge.push_back(mesh.edges());
                mesh.edge_end1.push_back(before);
                mesh.edge_end2.push_back(after);
                mesh.edge_length.push_back(mesh.radius * arc(centre[before], centre[after]));
                mesh.edge_distance.push_back(mesh.radius * arc(points[p], points[other]));
            }
            mesh.neighbour.push_back(number[other]);
            mesh.corner.push_back(after);
            area += triangle_area(points[p], centre[before], centre[after]);
        }
        mesh.offset.push_back(static_cast<std::int64_t>(mesh.edge.size()));
        mesh.lon.push_back(longitude_of(points[p]));
        mesh.lat.push_back(latitude_of(points[p]));
        mesh.area.push_back(mesh.radius * mesh.radius * area);
        mesh.depth.push_back(depth(mesh.lon.back(), mesh.lat.back()));
        mesh.mesh_cell.push_back(number[p] + 1);
    }
    return mesh;
}

/// Points of the divided icosahedron, numbered: 12 corners, then (k-1) inside each of 30 edges, then the
/// insides of faces.
class DividedIcosahedron {
public:
    explicit DividedIcosahedron(int k) : k_(k) {
        corners_.push_back({0, 0, 1});
        for (const double sign : {1.0, -1.0}) {
            for (int i = 0; i < 5; ++i) {
                corners_.push_back(
                    point_at((2 * i + (sign > 0 ? 0 : 1)) * base::pi / 5.0, sign * std::atan(0.5)));
            }
        }
        corners_.push_back({0, 0, -1});
        for (int i = 0; i < 5; ++i) {
            const std::int32_t upper = 1 + i, upper_next = 1 + (i + 1) % 5, lower = 6 + i,
                               lower_next = 6 + (i + 1) % 5;
            faces_.push_back({0, upper, upper_next});
            faces_.push_back({upper, lower, upper_next});
            faces_.push_back({lower, lower_next, upper_next});
            faces_.push_back({11, lower_next, lower});
        }
        for (const Triangle& face : faces_) {
            for (int i = 0; i < 3; ++i) {
                const auto [low, high] = std::minmax(face[i], face[(i + 1) % 3]);
                edges_.try_emplace({low, high}, static_cast<std::int32_t>(edges_.size()));
            }
        }
    }

    std::vector<Vector3> points() const {
        std::vector<Vector3> points = corners_;
        points.resize(10 * static_cast<std::size_t>(k_) * k_ + 2);
        for (const auto& [ends, edge] : edges_) {
            for (int i = 1; i < k_; ++i) {
                points[edge_point(edge, i)] =
                    unit((k_ - i) * corners_[ends.first] + i * corners_[ends.second]);
            }
        }
        for (std::int32_t f = 0; f < 20; ++f) {
            const auto& [a, b, c] = faces_[f];
            for (int j = 1; j < k_; ++j) {
                for (int i = 1; i + j < k_; ++i) {
                    points[point(f, i, j)] =
                        unit((k_ - i - j) * corners_[a] + i * corners_[b] + j * corners_[c]);
                }
            }
        }
        return points;
    }

    std::vector<Triangle> triangles() const {
        std::vector<Triangle> triangles;
        for (std::int32_t f = 0; f < 20; ++f) {
            for (int j = 0; j < k_; ++j) {
                for (int i = 0; i + j < k_; ++i) {
                    triangles.push_back({point(f, i, j), point(f, i + 1, j), point(f, i, j + 1)});
                    if (i + j + 1 == k_) continue;
                    triangles.push_back({point(f, i + 1, j), point(f, i + 1, j + 1), point(f, i, j + 1)});
                }
            }
        }
        return triangles;
    }

private:
    std::int32_t edge_point(std::int32_t edge, int i) const { return 12 + edge * (k_ - 1) + i - 1; }

    /// Point i steps from corner a towards b and j steps towards c of face f.
    std::int32_t point(std::int32_t f, int i, int j) const {
        const auto& [a, b, c] = faces_[f];
        if (j == 0) return on_side(a, b, i);
        if (i == 0) return on_side(a, c, j);
        if (i + j == k_) return on_side(b, c, j);
        const int before = (j - 1) * (2 * k_ - j - 2) / 2;  // rows 1 … j-1 hold k-2, k-3, … points
        return 12 + 30 * (k_ - 1) + f * ((k_ - 1) * (k_ - 2) / 2) + before + i - 1;
    }
    std::int32_t on_side(std::int32_t from, std::int32_t to, int steps) const {
        if (steps == 0) return from;
        if (steps == k_) return to;
        return edge_point(edges_.at(std::minmax(from, to)), from < to ? steps : k_ - steps);
    }

    int k_;
    std::vector<Vector3> corners_;
    std::vector<Triangle> faces_;
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> edges_;
};

}  // namespace

GlobalMesh icosahedral(int k, const DepthFunction& depth) {
    GS_ASSERT(k >= 1 && k <= 5000);
    const DividedIcosahedron divided(k);
    return voronoi_cells(fmt::format("icosahedral mesh, k = {}", k), divided.points(), divided.triangles(),
                         depth);
}

GlobalMesh icosahedral(int k, double depth) {
    return icosahedral(k, [depth](double, double) { return depth; });
}

GlobalMesh hexagonal_patch(int nx, int ny, double spacing, double lon0, double lat0,
                           const DepthFunction& depth) {
    GS_ASSERT(nx >= 1 && ny >= 1 && spacing > 0.0);
    // One ring of points more than cells, so that every cell wanted is closed.
    const auto number = [&](int i, int j) { return (j + 1) * (nx + 2) + i + 1; };
    const Vector3 origin = point_at(lon0, lat0), east = east_at(lon0), north = north_at(lon0, lat0);
    std::vector<Vector3> points;
    std::vector<Triangle> triangles;
    for (int j = -1; j <= ny; ++j) {
        for (int i = -1; i <= nx; ++i) {
            const bool odd = j % 2 != 0;
            const double x = spacing * (i - 0.5 * (nx - 1) + (odd ? 0.5 : 0.0)) / base::earth_radius;
            const double y = spacing * (j - 0.5 * (ny - 1)) * std::sqrt(0.75) / base::earth_radius;
            const double distance = std::hypot(x, y);
            const double sine_ratio = distance > 0.0 ? std::sin(distance) / distance : 1.0;
            points.push_back(
                unit(std::cos(distance) * origin + (sine_ratio * x) * east + (sine_ratio * y) * north));
            if (i == nx || j == ny) continue;
            if (odd) {
                triangles.push_back({number(i, j), number(i + 1, j + 1), number(i, j + 1)});
                triangles.push_back({number(i, j), number(i + 1, j), number(i + 1, j + 1)});
            } else {
                triangles.push_back({number(i, j), number(i + 1, j), number(i, j + 1)});
                triangles.push_back({number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)});
            }
        }
    }
    GlobalMesh mesh =
        voronoi_cells(fmt::format("hexagonal patch of {} x {} cells", nx, ny), points, triangles, depth);
    GS_ASSERT(mesh.cells() == nx * ny);
    return mesh;
}

}  // namespace groundswell::voronoi
