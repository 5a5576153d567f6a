#include "groundswell/mesh/voronoi/boxes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace groundswell::voronoi {

namespace {

/// Place in degrees of longitude and sine of latitude.
struct Place2 {
    double x = 0.0, y = 0.0;
};
using Polygon = std::vector<Place2>;

// East, north and up of a grid's frame, as vectors of the Earth: its meridian 0 leads from its pole over the Earth's.
std::array<Vector3, 3> axes(const std::pair<double, double>& pole) {
    const double lon = pole.first * base::degree, lat = pole.second * base::degree;
    const Vector3 z = point_at(lon, lat), y{std::sin(lon), -std::cos(lon), 0.0};
    return {cross(y, z), y, z};
}

double turn_within_half(double degrees) {
    return degrees - 360.0 * std::floor((degrees + 180.0) / 360.0);
}

// Twice would do for areas; a quarter of a degree at most keeps the boundary between two boxes where it is.
int pieces_of(double length) {
    return std::clamp(static_cast<int>(std::ceil(4.0 * length / base::degree)), 4, 96);
}

std::vector<Vector3> corners_of(const LocalMesh& mesh, std::int32_t cell) {
    std::vector<Vector3> corners;
    for (std::int32_t c = mesh.corner_offset[cell]; c < mesh.corner_offset[cell + 1]; ++c)
        corners.push_back(point_at(mesh.corner_lon[c], mesh.corner_lat[c]));
    return corners;
}

double area_of(const std::vector<Vector3>& corners) {
    double area = 0.0;
    for (std::size_t k = 1; k + 1 < corners.size(); ++k)
        area += triangle_area(corners[0], corners[k], corners[k + 1]);
    return std::abs(area);
}

// A cell around a pole: from its western end to 360° farther, with the pole above or below it.
Polygon cap_of(Polygon points, double pole) {
    std::ranges::sort(points, {}, &Place2::x);
    const double end = 0.5 * (points.front().y + points.back().y);
    const double west = 0.5 * (points.front().x + points.back().x - 360.0);
    points.insert(points.begin(), {west, end});
    points.insert(points.end(), {{west + 360.0, end}, {west + 360.0, pole}, {west, pole}});
    return points;
}

Polygon polygon_of(const std::vector<Vector3>& corners, const BoxGrid& grid) {
    Vector3 sum;
    for (const Vector3& corner : corners) sum = sum + corner;
    const Vector3 centre = grid.to_grid(unit(sum));
    const double middle = longitude_of(centre) / base::degree;
    Polygon polygon;
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const Vector3 a = corners[k], b = corners[(k + 1) % corners.size()];
        const int pieces = pieces_of(arc(a, b));
        for (int p = 0; p < pieces; ++p) {
            const double part = static_cast<double>(p) / pieces;
            const Vector3 at = grid.to_grid(unit((1.0 - part) * a + part * b));
            polygon.push_back({middle + turn_within_half(longitude_of(at) / base::degree - middle), at.z});
        }
    }
    double around = 0.0;
    for (std::size_t k = 0; k < polygon.size(); ++k)
        around += turn_within_half(polygon[(k + 1) % polygon.size()].x - polygon[k].x);
    return std::abs(around) > 180.0 ? cap_of(std::move(polygon), centre.z > 0.0 ? 1.0 : -1.0) : polygon;
}

double area_of(const Polygon& polygon) {
    double twice = 0.0;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Place2 a = polygon[k], b = polygon[(k + 1) % polygon.size()];
        twice += (a.x - polygon[0].x) * (b.y - polygon[0].y) - (b.x - polygon[0].x) * (a.y - polygon[0].y);
    }
    return 0.5 * std::abs(twice);
}

// The part of a polygon on one side of a line (Sutherland & Hodgman 1974, Commun. ACM 17, 32).
void cut(const Polygon& polygon, double Place2::*along, double line, bool above, Polygon& kept) {
    kept.clear();
    const auto inside = [&](const Place2& p) { return above ? p.*along >= line : p.*along <= line; };
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Place2 a = polygon[k], b = polygon[(k + 1) % polygon.size()];
        if (inside(a)) kept.push_back(a);
        if (inside(a) == inside(b)) continue;
        const double part = (line - a.*along) / (b.*along - a.*along);
        Place2 at{a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
        at.*along = line;
        kept.push_back(at);
    }
}

/// The boxes of a grid and room to cut polygons by them.
class Cutter {
public:
    explicit Cutter(const BoxGrid& grid) : grid_(grid), x_(grid.x_edges()) {
        for (const double y : grid.y_edges()) y_.push_back(std::sin(y * base::degree));
    }

    /// Adds the shares of a cell, of which `scale` times the area of the polygon is its own.
    void add(const Polygon& polygon, double scale, std::int64_t cell, std::vector<BoxShare>& shares) {
        const auto [west, east] = std::ranges::minmax(polygon, {}, &Place2::x);
        // So many times around that some of it may lie in the grid.
        const auto first = static_cast<int>(std::ceil((x_.front() - east.x) / 360.0));
        const auto last = static_cast<int>(std::floor((x_.back() - west.x) / 360.0));
        for (int turns = first; turns <= last; ++turns) {
            turned_ = polygon;
            for (Place2& place : turned_) place.x += 360.0 * turns;
            cut_columns(scale, cell, shares);
        }
    }

private:
    void cut_columns(double scale, std::int64_t cell, std::vector<BoxShare>& shares) {
        const auto [west, east] = std::ranges::minmax(turned_, {}, &Place2::x);
        const int begin = column_of(west.x), end = column_of(east.x);
        for (int column = begin; column <= end; ++column) {
            cut(turned_, &Place2::x, x_[column], true, half_);
            cut(half_, &Place2::x, x_[column + 1], false, strip_);
            if (strip_.size() < 3) continue;
            const auto [south, north] = std::ranges::minmax(strip_, {}, &Place2::y);
            for (int row = row_of(south.y); row <= row_of(north.y); ++row) {
                cut(strip_, &Place2::y, y_[row], true, half_);
                cut(half_, &Place2::y, y_[row + 1], false, box_);
                const double area = box_.size() < 3 ? 0.0 : scale * area_of(box_);
                if (area > 0.0) shares.push_back({std::int64_t{row} * grid_.columns + column, cell, area});
            }
        }
    }

    int column_of(double x) const {
        return std::clamp(static_cast<int>(std::floor((x - grid_.west) / grid_.step_x)), 0,
                          grid_.columns - 1);
    }
    int row_of(double y) const {
        const auto above = std::ranges::upper_bound(y_, y) - y_.begin();
        return std::clamp(static_cast<int>(above) - 1, 0, grid_.rows - 1);
    }

    const BoxGrid& grid_;
    std::vector<double> x_, y_;
    Polygon turned_, half_, strip_, box_;
};

std::vector<double> edges(double first, double step, int count) {
    std::vector<double> found;
    for (int i = 0; i <= count; ++i) found.push_back(first + step * i);
    return found;
}

}  // namespace

std::vector<double> BoxGrid::x_edges() const {
    return edges(west, step_x, columns);
}

std::vector<double> BoxGrid::y_edges() const {
    return edges(south, step_y, rows);
}

double BoxGrid::area(int row) const {
    const double below = south + step_y * row;
    return step_x * base::degree *
           (std::sin((below + step_y) * base::degree) - std::sin(below * base::degree));
}

Vector3 BoxGrid::to_grid(Vector3 earth) const {
    if (!pole) return earth;
    const auto [x, y, z] = axes(*pole);
    return {dot(earth, x), dot(earth, y), dot(earth, z)};
}

Vector3 BoxGrid::to_earth(Vector3 grid) const {
    if (!pole) return grid;
    const auto [x, y, z] = axes(*pole);
    return grid.x * x + grid.y * y + grid.z * z;
}

std::vector<BoxShare> share_out(const LocalMesh& mesh, const BoxGrid& grid) {
    std::vector<BoxShare> shares;
    Cutter cutter(grid);
    for (std::int32_t cell = 0; cell < mesh.owned; ++cell) {
        const std::vector<Vector3> corners = corners_of(mesh, cell);
        const Polygon polygon = polygon_of(corners, grid);
        cutter.add(polygon, area_of(corners) / area_of(polygon), mesh.id[cell], shares);
    }
    return shares;
}

}  // namespace groundswell::voronoi
